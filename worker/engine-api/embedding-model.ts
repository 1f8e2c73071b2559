/** Records of embedding models: types only. */

import type { EmbeddingModelOption } from "../../src/protocol/options/own-models.ts";
import type { GgufFiles, HubSource, ModelFile } from "./model-files.ts";

/** Precision of the weights, with transformers.js names. */
export type EmbeddingDtype = "fp32" | "fp16" | "q8" | "q4" | "q4f16";
export type EmbeddingDevice = "webgpu" | "wasm";

/** What a record may state. */
type StatedPooling = NonNullable<EmbeddingModelOption["pooling"]>;
/** How token vectors are combined into one. */
export type TokenPooling =
  | Exclude<StatedPooling, "sentence_embedding">
  | "max"
  | "mean_sqrt_len"
  | "weighted_mean";
/**
 * How the vector of a text is made: from token vectors, by one mode or by several whose vectors are joined
 * (`cls+mean`), or by the network, in its output `sentence_embedding`.
 */
export type Pooling = StatedPooling | TokenPooling | `${TokenPooling}+${string}`;

/** Text prefixes, for models trained with them. */
export interface Prefixes {
  query: string;
  document: string;
}

/** How an embedding model's vectors are made. */
export interface EmbeddingRules {
  pooling: StatedPooling;
  normalize: boolean;
  prefixes?: Prefixes;
  maxTokens?: number;
  /** As of {@link EmbeddingModel}. */
  shortestDimensions?: number;
  /** Whether the mean of a vector's numbers is subtracted before it is cut, as by a layer normalization. */
  isCentered?: boolean;
  /** As of {@link EmbeddingModel}, where the usual ones do not suit the model. */
  dtypes?: EmbeddingModel["dtypes"];
}

/** An embedding model's record; omitted fields are read from the model's own files. */
export interface EmbeddingModel {
  id: string;
  /** Source folder, with a trailing slash. */
  sourceURL: string;
  /** Where the source folder is a hub's. */
  hub?: HubSource;
  /** Id used in the cache keys. @default `id` */
  cacheId?: string;
  /** Version used in the cache keys. */
  version: string;
  /** Files with known size and hash; others are not verified. */
  known: readonly ModelFile[];
  /** Whether files that are not in `known` are refused. */
  isSealed?: boolean;
  /** A GGUF model, which llama.cpp runs; its dtypes are not used. @default ONNX */
  gguf?: GgufFiles;
  pooling?: StatedPooling;
  normalize?: boolean;
  prefixes?: Prefixes;
  maxTokens?: number;
  /** Whether the omitted rules have their defaults, and the model's own modules are not read. */
  isComplete?: boolean;
  /** Those of the well-known model `of`, for a repository without a pooling configuration. */
  knownRules?: EmbeddingRules & { of: string };
  /** Dtypes to try, best first. */
  dtypes: Record<EmbeddingDevice, readonly EmbeddingDtype[]>;
  /** Whether others run on WASM where the model has none of these: no option states them. @default false */
  mayReplaceDtypes?: boolean;
  /** Minimum dimensions of a truncated vector; absent if the model does not support truncation. */
  shortestDimensions?: number;
  /** Total memory of the loaded model, if known. */
  memoryBytes?: number;
  /** Load at server start and never evict. */
  keepLoaded?: boolean;
  /** Self-test texts with correct vectors. @default WASM's own vectors */
  reference?: () => Promise<readonly ReferenceVector[]>;
}

export interface ReferenceVector {
  text: string;
  vector: readonly number[];
}
