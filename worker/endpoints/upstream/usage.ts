/** Usage as an upstream reports it, in the form of chat or of responses. */

import { NO_TOKENS, type TokenCounts } from "../../usage/metering/meter.ts";

type Fields = Record<string, unknown> | null | undefined;

/** Undefined if there is no usage. */
export function countsOf(usage: unknown): TokenCounts | undefined {
  if (typeof usage !== "object" || usage === null) return undefined;
  const fields = usage as Record<string, Fields>;
  const inputDetails = fields.prompt_tokens_details ?? fields.input_tokens_details;
  const outputDetails = fields.completion_tokens_details ?? fields.output_tokens_details;
  const inputTokens = count(fields.prompt_tokens ?? fields.input_tokens);
  const outputTokens = count(fields.completion_tokens ?? fields.output_tokens);
  return {
    ...NO_TOKENS,
    inputTokens,
    cachedTokens: Math.min(inputTokens, count(inputDetails?.cached_tokens)),
    outputTokens,
    reasoningTokens: Math.min(outputTokens, count(outputDetails?.reasoning_tokens)),
  };
}

/** Invalid counts are 0: the ledger only stores whole numbers. */
function count(value: unknown): number {
  return Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : 0;
}
