/** What the supervisor starts: a model, by a function of its kind of engine. */

import type { ChatEngine, ChatEngineName } from "../../engine-api/chat-engine.ts";
import type { LoadProgress } from "../../engine-api/load-progress.ts";
import type { ChatBuilds } from "../../engine-api/model-files.ts";

/** The fields of a model that the supervisor needs. */
export interface LoadableModel extends MemorySettings {
  id: string;
  builds: ChatBuilds;
  engine?: ChatEngineName;
}

/** Memory settings of a model, known before it is loaded. */
export interface MemorySettings {
  /** Total memory of the loaded model. @default an estimate from the size of its files */
  memoryBytes?: number;
  /** Never evicted. */
  keepLoaded?: boolean;
}

/** What a start reports, and what cancels it. */
export interface StartContext {
  onProgress: (progress: LoadProgress) => void;
  /** Called once when the engine ends. */
  onEnd: (reason: string) => void;
  signal: AbortSignal;
}

/** Starts an engine for a model. */
export type StartEngine<Engine = ChatEngine, Model = LoadableModel> = (
  model: Model,
  context: StartContext,
) => Promise<Engine>;
