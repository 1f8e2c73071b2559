/** Types for the models of the option `models`, and for the manifest in a model's folder. */

import type { Parallel } from "../parallel.ts";

/**
 * A row of the option `models`: a folder with a manifest, or an embedding model that needs none
 * (`kind: "embedding"`).
 */
export type ModelOption = FolderModelOption | EmbeddingModelOption;

/** A chat or embedding model in a folder on any static host, described by the manifest in that folder. */
export interface FolderModelOption {
  /** Value of `model` in requests. Must be unique, not a catalogue id, and without spaces and `/`. */
  id: string;
  /** Folder with the model's files and its `infetch-model.json`. Relative URLs resolve against the document. */
  url: string | URL;
  /**
   * Hexadecimal SHA-256 of `infetch-model.json`. The manifest contains the hashes of all other files, so this rejects
   * any change on the host.
   */
  sha256?: string;
  /**
   * Tokens of prompt and reply together to reserve memory for; refused if they do not fit. @default the largest that
   * fits, up to 8,192 and the manifest's `contextWindow`
   */
  contextWindow?: number;
  /** As {@link RuntimeOptions.parallel}, for this model. @default the runtime's option */
  parallel?: Parallel;
}

/**
 * An embedding model described by its own files, from the hub or a folder without a manifest. Omitted fields are read
 * from those files.
 */
export interface EmbeddingModelOption {
  /** Distinguishes these rows from folders with a manifest. */
  kind: "embedding";
  /**
   * Value of `model` in requests: a unique name of your own. A hub identifier (`<org>/<name>`) is accepted for
   * batches and deployments only; otherwise choose a name and set `hubId`.
   */
  id: string;
  /** Hub identifier, which may name a revision: `<org>/<name>@<revision>`. @default `id` */
  hubId?: string;
  /** Branch, tag or commit on the hub. @default "main" */
  revision?: string;
  /** Folder with the model's files; used instead of the hub. Relative URLs resolve against the document. */
  url?: string | URL;
  /**
   * GGUF file in the repository or folder, which llama.cpp runs; of a split model, the first part.
   *
   * @default ONNX files; of a repository whose name ends in `-GGUF`, a file with 8-bit weights, else with others
   */
  file?: string;
  /**
   * How token vectors are pooled; `sentence_embedding`: by the network, which has an output of that name.
   *
   * @default the model's `1_Pooling/config.json` or the GGUF file's metadata, else as in the known model of its name
   */
  pooling?: "mean" | "cls" | "last_token" | "sentence_embedding";
  /** Whether vectors are normalized to unit length. @default whether `modules.json` has a Normalize module; true for GGUF */
  normalize?: boolean;
  /**
   * Put before each text whose `input_type` is `query`, or `document` (which is the default).
   *
   * @default the prompts of `config_sentence_transformers.json`, else as in the known model of its name
   */
  prefixes?: { query: string; document: string };
  /** Maximum tokens per input. @default the lowest limit in the model's files; for GGUF at most 2,048, if they fit */
  maxTokens?: number;
  /**
   * Minimum `dimensions` of a request, for Matryoshka models.
   *
   * @default the shortest of `matryoshka_dimensions` in `config.json`, else as in the known model of its name, else none
   */
  shortestDimensions?: number;
  /**
   * Weight formats to try, in order of preference.
   *
   * @default as in the known model of its name, else fp16, fp32 on WebGPU and q8, fp32 on WASM, where a model without
   * these runs in the format that it has
   */
  dtypes?: Partial<Record<"webgpu" | "wasm", readonly ("fp32" | "fp16" | "q8" | "q4" | "q4f16")[]>>;
}

/** Values of {@link EmbeddingModelOption.pooling}. */
export const POOLINGS = [
  "mean",
  "cls",
  "last_token",
  "sentence_embedding",
] as const satisfies readonly NonNullable<EmbeddingModelOption["pooling"]>[];

/** Whether a row describes an embedding model itself; other rows have a manifest. */
export function isEmbeddingOption(model: ModelOption): model is EmbeddingModelOption {
  return "kind" in model && model.kind === "embedding";
}

/** `infetch-model.json`: describes a model and all its files. `dist/model-manifest.js` generates it for a folder. */
export interface ModelManifest {
  /** Version of the file format. */
  infetch: 1;
  /** What the model is for. */
  kind: "chat" | "embedding";
  /** All files that may be used: path in the folder, size, hexadecimal SHA-256. Others in the folder are ignored. */
  files: { name: string; bytes: number; sha256: string }[];
  /** Unix seconds. @default when the server started */
  created?: number;
  /** As in `GET /v1/models`. @default "user" */
  ownedBy?: string;
  /** SPDX id, shown in `GET /v1/models`. @default unknown */
  licence?: string;
  /** Base model, for example `Qwen/Qwen3-0.6B`; determines the tool-calling format of a model without a chat template. */
  baseModel?: string;
  /** The model's limit: tokens of prompt and reply together, or of one input of an embedding model. */
  contextWindow?: number;
  /** Prompt lines that enable (`line`) and disable thinking, and the delimiters around it in the output. */
  reasoning?: { line: string; offLine?: string; open: string; close: string };
  /** `generic`: tools are described as JSON if the model's template has none. @default requests with tools are a 400 */
  tools?: "generic";
  /** Whose sampling defaults apply. @default the runtime's option */
  samplingDefaults?: "api" | "model";
  /** Whether special tokens that messages spell out are read as such. @default the runtime's option */
  parseSpecialTokens?: boolean;
  /** Library file in the folder, for MLC builds. @default "model-library.wasm" */
  library?: string;
  /** For embedding models, as in {@link EmbeddingModelOption}. Omitted fields are read from the model's own files. */
  embedding?: {
    pooling?: "mean" | "cls" | "last_token" | "sentence_embedding";
    normalize?: boolean;
    prefixes?: { query: string; document: string };
    shortestDimensions?: number;
    dtypes?: Partial<Record<"webgpu" | "wasm", ("fp32" | "fp16" | "q8" | "q4" | "q4f16")[]>>;
  };
}
