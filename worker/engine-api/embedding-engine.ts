/** The interface between embedding engines and the server: texts, tokens and vectors, without HTTP or metering. */

import type { EmbeddingDevice, Pooling, Prefixes } from "./embedding-model.ts";

/** An embedding model, as known once it is loaded. */
export interface EmbeddingModelInfo {
  /** @default "transformers" */
  engine?: "transformers" | "llamacpp";
  dimensions: number;
  /** Maximum tokens of one input, including special tokens. */
  maxTokens: number;
  vocabularySize: number;
  /** Maximum UTF-8 bytes of one token; absent if unknown. */
  longestTokenBytes?: number;
  device: EmbeddingDevice;
  /** The GPU's name; absent on WASM. */
  gpu?: string;
  /** Precision of the weights: `EmbeddingDtype`, or as GGUF files are named, for example `q4_k_m`. */
  dtype: string;
  /** WASM threads; more than one requires cross-origin isolation. */
  threads: number;
  pooling: Pooling;
  normalized: boolean;
  prefixes: Prefixes;
  /** Prefixes for other uses, by their names in the model's files. @default none */
  prompts?: Readonly<Record<string, string>>;
  /** Numbers of the network's adapters, by the uses of texts that they are for. @default it has none */
  tasks?: Readonly<Record<string, number>>;
  /** Minimum dimensions of a truncated vector; absent if the model does not support truncation. */
  shortestDimensions?: number;
  /** Whether the mean of a vector's numbers is subtracted before it is truncated. @default false */
  isCentered?: boolean;
  /** Size of all files that a first load downloads. */
  downloadBytes?: number;
  /** Whether texts run one at a time, because quantising over a whole batch would change their vectors. */
  runsAlone: boolean;
  /** What is assumed, because the model's files do not say it. */
  notes?: readonly string[];
}

/** An embedding engine with one loaded model. Its owner must run one batch at a time. */
export interface EmbeddingEngine {
  readonly info: EmbeddingModelInfo;
  /**
   * Tokenizes each text for {@link embed}; with `special`, the model's special tokens are added.
   *
   * @throws {EngineError}
   */
  tokenize(texts: readonly string[], special: boolean): Promise<number[][]>;
  /**
   * Returns one vector per token list, pooled and normalised as the model requires.
   *
   * @param task one of {@link EmbeddingModelInfo.tasks}, if there are any
   * @throws {EngineError}
   */
  embed(inputs: readonly (readonly number[])[], task?: number): Promise<Float32Array[]>;
  /** Frees all memory at once by ending the engine's worker. */
  dispose(reason: string): void;
}
