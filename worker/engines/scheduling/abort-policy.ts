/**
 * Some engines cannot interrupt a prefill: there an abort during one either waits for it to finish or replaces the engine
 * worker, whichever is estimated to be faster.
 */

/** Measured speed of the engine and state of the aborted reply. */
interface AbortSituation {
  /** Tokens in a prefill that cannot be interrupted; 0 once the first token is sampled. */
  prefillTokens: number;
  /** Whether the prefill encodes images: seconds each, which no count of tokens predicts. */
  encodesImages: boolean;
  elapsedMs: number;
  /** Measured on this device; undefined before the first prefill. */
  prefillTokensPerSecond: number | undefined;
  /** Duration of the last load. */
  reloadMs: number;
}

type AbortDecision =
  /** Replace the engine immediately. */
  | { type: "replace" }
  /** Replace the engine if it is still busy after `stuckAfterMs`. */
  | { type: "wait"; stuckAfterMs: number };

/** Upper bound for one decode step or prefill chunk of a healthy engine. */
const MIN_TIMEOUT_MS = 5_000;
/** Upper bound for the encoding of images. */
const IMAGE_TIMEOUT_MS = 60_000;

/** Decides what to do with an engine whose reply was aborted. */
export function decideAbort(situation: AbortSituation): AbortDecision {
  const { prefillTokens, encodesImages, prefillTokensPerSecond, elapsedMs, reloadMs } = situation;
  const timeoutMs = Math.max(encodesImages ? IMAGE_TIMEOUT_MS : MIN_TIMEOUT_MS, 2 * reloadMs);
  if (encodesImages) return { type: "wait", stuckAfterMs: timeoutMs };
  if (prefillTokens === 0 || prefillTokensPerSecond === undefined)
    return { type: "wait", stuckAfterMs: timeoutMs };
  const restMs = (prefillTokens / prefillTokensPerSecond) * 1000 - elapsedMs;
  if (restMs > reloadMs) return { type: "replace" };
  return { type: "wait", stuckAfterMs: timeoutMs + Math.max(0, restMs) };
}
