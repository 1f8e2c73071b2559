/** What the supervisor starts: a model, by a function of its kind of engine. */

import type { ChatBuilds, ChatEngine, ChatEngineName, LoadProgress } from "../api/types.ts";

/** The fields of a model that the supervisor needs. */
export interface LoadableModel extends MemoryFacts {
  id: string;
  builds: ChatBuilds;
  engine?: ChatEngineName;
}

/** Memory settings of a model, known before it is loaded. */
export interface MemoryFacts {
  /** Total memory of the loaded model. @default an estimate from the size of its files */
  memoryBytes?: number;
  /** Never evicted. */
  keepLoaded?: boolean;
}

/** Starts an engine for a model; `onEnd` is called once when the engine ends, `signal` cancels the load. */
export type StartEngine<Engine = ChatEngine, Model = LoadableModel> = (
  model: Model,
  onProgress: (progress: LoadProgress) => void,
  onEnd: (reason: string) => void,
  signal: AbortSignal,
) => Promise<Engine>;
