/** The wire between the server and an embedding worker: types only. */

import type { EmbeddingModelInfo } from "../api/embedding-engine.ts";
import type { EmbeddingModel } from "../api/embedding-model.ts";
import type { EngineResult } from "../api/engine-wire.ts";
import type { EmbeddingAttempt } from "./attempts.ts";

/** A load request. */
export interface EmbeddingLoad {
  model: Omit<EmbeddingModel, "reference">;
  attempt: EmbeddingAttempt;
  /** Whether files that are not cached are not asked for. @default false */
  isCacheOnly?: boolean;
  /** Folder of the ONNX Runtime files, with a trailing slash. */
  runtimeURL: string;
  /** Self-test texts, embedded right after the load. */
  probes: readonly string[];
}

interface EmbeddingLoaded {
  info: EmbeddingModelInfo;
  /** One vector per probe. */
  probes: Float32Array[];
}

/** The interface that an embedding worker exposes through comlink. */
export interface EmbeddingEndpoint {
  /** Resolves to the package's version once the worker holds its lock. */
  ready(): Promise<string>;
  load(load: EmbeddingLoad, progress: MessagePort): Promise<EngineResult<EmbeddingLoaded>>;
  tokenize(texts: readonly string[], special: boolean): Promise<EngineResult<number[][]>>;
  embed(inputs: readonly (readonly number[])[], task?: number): Promise<EngineResult<Float32Array[]>>;
}
