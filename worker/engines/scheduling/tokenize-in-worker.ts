import type { Remote } from "comlink";
import { EngineError } from "../api/engine-error.ts";
import type { EngineResult } from "../api/engine-wire.ts";
import type { EngineWorker } from "./engine-worker.ts";
import { Patience } from "./patience.ts";

/**
 * Calls the tokenizer of an engine's worker. A pattern of a hostile model, or a text that a pattern is slow for, may take
 * for ever and keeps all else in the worker waiting: then the worker is ended.
 *
 * @throws {EngineError} `context_length_exceeded` if it takes longer than `limitMs`, since another engine would do the
 *   same; `engine_lost`; the worker's own failure
 */
export async function tokenizeInWorker<Endpoint extends { ready(): Promise<string> }, T>(
  worker: EngineWorker<Endpoint>,
  limitMs: number,
  call: (endpoint: Remote<Endpoint>) => Promise<EngineResult<T>>,
): Promise<T> {
  let isStuck = false;
  const patience = new Patience(limitMs, () => {
    isStuck = true;
    worker.end("its tokenizer did not end");
  });
  try {
    return await worker.call(call(worker.endpoint));
  } catch (error) {
    if (!isStuck) throw error;
    const message = `The text could not be split into tokens in ${limitMs / 60_000} minutes. Send a shorter one.`;
    throw new EngineError("context_length_exceeded", message, { cause: error });
  } finally {
    patience.end();
  }
}
