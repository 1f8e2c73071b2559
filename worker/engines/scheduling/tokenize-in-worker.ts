import type { Remote } from "comlink";
import { AwakeTimeout } from "../../../src/protocol/liveness/awake-timeout.ts";
import { EngineError } from "../../engine-api/engine-error.ts";
import type { EngineResult } from "../../engine-api/engine-wire.ts";
import type { EngineWorker } from "./engine-worker.ts";
import { ping } from "./load-in-worker.ts";

/**
 * Calls the tokenizer of an engine's worker. A hostile pattern, or a text that a pattern is slow for, may block the worker
 * and all its other work: after `limitMs` the worker is terminated.
 *
 * @throws {EngineError} `invalid_request` if it takes longer than `limitMs`, since another engine would do the same;
 *   `engine_lost`, also if the worker hung before; the worker's own failure
 */
export async function tokenizeInWorker<Endpoint extends { ready(): Promise<string> }, T>(
  worker: EngineWorker<Endpoint>,
  limitMs: number,
  call: (endpoint: Remote<Endpoint>) => Promise<EngineResult<T>>,
): Promise<T> {
  let isReached = false;
  let isStuck = false;
  const onAnswer = (): void => {
    isReached = true;
  };
  ping(worker).then(onAnswer, onAnswer);
  const timeout = new AwakeTimeout(limitMs, () => {
    isStuck = isReached;
    worker.end(isReached ? "its tokenizer did not end" : "it did not answer");
  });
  try {
    return await worker.call(call(worker.endpoint));
  } catch (error) {
    if (!isStuck) throw error;
    const minutes = Math.ceil(limitMs / 60_000);
    const message = `The model's tokenizer did not get through the text in ${minutes} minutes. Send a shorter one.`;
    throw new EngineError("invalid_request", message, { cause: error });
  } finally {
    timeout.clear();
  }
}
