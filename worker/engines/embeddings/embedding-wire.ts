/** The wire between the server and an embedding worker: types only. */

import type { EmbeddingModelInfo } from "../../engine-api/embedding-engine.ts";
import type { EngineResult } from "../../engine-api/engine-wire.ts";

/** What every load request has. */
export interface ProbedLoad {
  /** Self-test texts, embedded right after the load. */
  probes: readonly string[];
  /** Whether texts run one at a time, and no batch is tried. @default the load finds out */
  runsAlone?: boolean;
}

interface EmbeddingLoaded {
  info: EmbeddingModelInfo;
  /** One vector per probe. */
  probes: Float32Array[];
  /** Whether it failed for a batch, after which it runs nothing. @default false */
  isBroken?: boolean;
}

/** The interface that an embedding worker exposes through comlink. */
export interface EmbeddingEndpoint<Load extends ProbedLoad = ProbedLoad> {
  /** Resolves to the package's version once the worker holds its lock. */
  ready(): Promise<string>;
  load(load: Load, progress: MessagePort): Promise<EngineResult<EmbeddingLoaded>>;
  tokenize(texts: readonly string[], special: boolean): Promise<EngineResult<number[][]>>;
  embed(inputs: readonly (readonly number[])[], task?: number): Promise<EngineResult<Float32Array[]>>;
}
