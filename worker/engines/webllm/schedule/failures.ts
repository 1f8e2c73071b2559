/** Errors of replies: of one alone, or of the step that all share. */

import { EngineError, endsEngine } from "../../../engine-api/engine-error.ts";
import type { Job } from "./job.ts";

/** The library's state is undefined after a failed step. Of several replies one may be its cause: all are to be repeated. */
export function stepFailure(cause: unknown, isShared: boolean): EngineError {
  if (isShared) {
    const message = "The engine failed while several requests ran. Send the request again.";
    return new EngineError("engine_lost", message, { cause });
  }
  if (cause instanceof EngineError) return cause;
  return new EngineError("engine_failed", `web-llm: ${(cause as Error).message}`, { cause });
}

/** A failure of one reply's own part, with a code that does not end the engine. */
export function replyFailure(cause: unknown): EngineError {
  if (cause instanceof EngineError && !endsEngine(cause)) return cause;
  const { message } = (cause ?? {}) as { message?: string };
  return new EngineError("reply_failed", `This reply failed: ${message || String(cause)}`, { cause });
}

/** Ends a reply. What its parts throw then, such as a grammar that is freed, neither ends other replies nor leaves them open. */
export function failReply(job: Pick<Job, "fail">, error: unknown): void {
  try {
    job.fail(error);
  } catch {
    // It has its error, which is the cause.
  }
}

/** For requests that reach an engine which has failed. */
export function engineLost(cause: unknown): EngineError {
  const message = "The engine failed before the request ran. Send the request again.";
  return new EngineError("engine_lost", message, { cause });
}

/**
 * Whether a WebAssembly module aborted. It leaves its stack where it was: xgrammar 0.1.27 breaks after some 70 aborts, and
 * then refuses every grammar.
 */
export function hasAborted(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof WebAssembly.RuntimeError) return true;
  return false;
}
