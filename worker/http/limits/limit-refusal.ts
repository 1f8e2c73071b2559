/** 429 errors of a key's limits, with OpenAI's messages, and the rate limit headers. */

import type { RateStates } from "../../usage/keys/admission.ts";
import type { LimitError } from "../../usage/keys/limit-error.ts";
import type { Refusal } from "../../usage/keys/refusals.ts";
import { ApiError } from "../api-error.ts";
import { formatDuration } from "./duration.ts";

/** The `x-ratelimit-*` headers of the key's limits. */
export function rateHeaders(rates: RateStates): Record<string, string> {
  return Object.fromEntries(
    Object.entries(rates).flatMap(([measure, { limit, remaining, resetMs }]) => [
      [`x-ratelimit-limit-${measure}`, String(limit)],
      [`x-ratelimit-remaining-${measure}`, String(remaining)],
      [`x-ratelimit-reset-${measure}`, formatDuration(resetMs)],
    ]),
  );
}

const WHAT: Record<Exclude<Refusal["reason"], "quota">, string> = {
  requests: "requests per min (RPM)",
  tokens: "tokens per min (TPM)",
  concurrency: "concurrent requests",
};

/** OpenAI's `type` names the limit; its `code` only differs for an exceeded quota. */
export function limitResponseError({ key: name, refusal, rates }: LimitError): ApiError {
  const { reason, limit, used, requested, span, waitMs } = refusal;
  const key = `API key '${name}'`;
  const numbers = `Limit ${limit}, Used ${used}, Requested ${requested}`;
  if (reason === "quota") {
    const word = span === "day" ? "daily" : "monthly";
    const message = `You exceeded your current quota: the ${word} quota of ${key} does not allow this request. ${numbers}. It resets in ${formatDuration(waitMs)}, at 00:00 UTC. Until then, use another key or create one with a larger quota (runtime.keys.create()).`;
    const headers = { ...rateHeaders(rates), ...retryHeaders(false, waitMs) };
    return new ApiError(429, "insufficient_quota", message, { type: "insufficient_quota", headers });
  }
  const type = reason === "tokens" ? "tokens" : "requests";
  const isPossible = waitMs !== Number.POSITIVE_INFINITY;
  const message = isPossible
    ? `Rate limit reached for ${key} on ${WHAT[reason]}: ${numbers}. Please try again in ${formatDuration(waitMs)}.`
    : `Request too large for ${key} on ${WHAT[reason]}: Limit ${limit}, Requested ${requested}. The input or output tokens must be reduced in order to run successfully.`;
  const headers = { ...rateHeaders(rates), ...retryHeaders(isPossible, isPossible ? waitMs : undefined) };
  return new ApiError(429, "rate_limit_exceeded", message, { type, headers });
}

/**
 * @param isWorthRetrying whether the SDK's retries can succeed, given their maximum wait
 * @param waitMs until a retry can succeed; undefined: never
 */
function retryHeaders(isWorthRetrying: boolean, waitMs: number | undefined): Record<string, string> {
  return {
    "x-should-retry": String(isWorthRetrying),
    ...(waitMs === undefined
      ? {}
      : { "retry-after": String(Math.ceil(waitMs / 1000)), "retry-after-ms": String(waitMs) }),
  };
}
