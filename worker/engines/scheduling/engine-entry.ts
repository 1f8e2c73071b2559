/** The supervisor's entry for one model's engine. */

import { abortable } from "../../../src/shared/abortable.ts";
import { EngineError } from "../../engine-api/engine-error.ts";

/** Prevents eviction of a model until released. */
export interface Hold {
  release(): void;
}

export interface EngineEntry<Engine> {
  engine: Promise<Engine>;
  /** Set once the engine is loaded. */
  loaded?: Engine;
  /** Aborted, with the reason, when the engine is ended on purpose. */
  end: AbortController;
}

/**
 * Waits for an engine to start. If its entry ends first, rejects at once; the engine is disposed of once it has started.
 *
 * @throws the reason of that end
 */
export async function untilEnd<Engine extends { dispose(reason: string): void }>(
  { end: { signal } }: EngineEntry<Engine>,
  starting: Promise<Engine>,
): Promise<Engine> {
  try {
    const engine = await abortable(starting, signal);
    signal.throwIfAborted();
    return engine;
  } catch (error) {
    const dispose = (late: Engine): void => late.dispose(String(signal.reason));
    if (signal.aborted) starting.then(dispose, () => {});
    throw error;
  }
}

/** The error for callers that wait for a cancelled load. */
export function loadCancelled(modelId: string, reason: unknown): EngineError {
  return new EngineError("load_cancelled", `Loading '${modelId}' was cancelled: ${reason}.`);
}
