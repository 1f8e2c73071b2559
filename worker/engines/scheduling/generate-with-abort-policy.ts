import type { Clock } from "../../clock.ts";
import type { ChatEngine, EngineStep, GenerateRequest } from "../../engine-api/chat-engine.ts";
import { decideAbort } from "./abort-policy.ts";

/** Measured speed of a model's engine. */
export interface EnginePace {
  reloadMs: number;
  prefillTokensPerSecond: number | undefined;
}

interface AbortContext {
  /** Of the whole prompt, cached tokens included. */
  promptTokens: number;
  /** Updated by what this reply shows. */
  pace: EnginePace;
  clock: Pick<Clock, "monotonic">;
}

/**
 * Yields the engine's steps. An engine that cannot abort within a prompt is replaced if it cannot honor an abort in time;
 * the iteration then throws `engine_lost`.
 */
export async function* generateWithAbortPolicy(
  engine: ChatEngine,
  request: GenerateRequest,
  signal: AbortSignal,
  { promptTokens, pace, clock }: AbortContext,
): AsyncGenerator<EngineStep, void> {
  const startedAtMs = clock.monotonic();
  const hasImages = request.images !== undefined && request.images.length > 0;
  // An engine that scores a prompt token by token aborts between two, and is slower than a prefill.
  const isScored = request.promptLogprobs !== undefined;
  let prefillTokens = promptTokens;
  let stuck: ReturnType<typeof setTimeout> | undefined;
  const onAbort = (): void => {
    // The reply ends after the current pass; `StepWatch` replaces an engine whose pass does not end.
    if (engine.info.abortsBetweenChunks || isScored) return;
    const elapsedMs = clock.monotonic() - startedAtMs;
    const encodesImages = hasImages && prefillTokens > 0;
    const decision = decideAbort({ ...pace, prefillTokens, encodesImages, elapsedMs });
    if (decision.type === "replace") engine.dispose("it was replaced to abort a long prefill");
    else stuck = setTimeout(() => engine.dispose("it did not respond to an abort"), decision.stuckAfterMs);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    for await (const step of engine.generate(request, signal)) {
      if (prefillTokens > 0) {
        const seconds = (clock.monotonic() - startedAtMs) / 1000;
        const fed = step.usage.promptTokens - step.usage.cachedTokens;
        // Too few tokens to estimate throughput; images take their own time.
        if (fed >= 64 && !hasImages && !isScored && seconds > 0) pace.prefillTokensPerSecond = fed / seconds;
        prefillTokens = 0;
      }
      yield step;
    }
  } finally {
    clearTimeout(stuck);
    signal.removeEventListener("abort", onAbort);
  }
}
