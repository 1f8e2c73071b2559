import type { TokenCounts } from "../../usage/metering/meter.ts";

/** `usage` of chat and text completions. */
export function usageOf(counts: TokenCounts) {
  return {
    prompt_tokens: counts.inputTokens,
    completion_tokens: counts.outputTokens,
    total_tokens: counts.inputTokens + counts.outputTokens,
    prompt_tokens_details: { cached_tokens: counts.cachedTokens, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: counts.reasoningTokens,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}
