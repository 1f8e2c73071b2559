/** Limits of keys on the wire: `x-ratelimit-*` on every answer, and the 429s, as OpenAI words them. */

import { keepRequestId, requestIdOf } from "../../src/protocol/transfer.ts";
import type { RateStates, Refusal } from "../accounts/admission.ts";
import type { KeyHolder } from "../accounts/keys.ts";
import { type Admission, LimitError, type Limiter } from "../accounts/limiter.ts";
import { ApiError } from "./api-error.ts";
import { formatDuration } from "./duration.ts";
import { errorResponse } from "./error-response.ts";
import { estimateTokens } from "./token-estimate.ts";

/** Reading one's books is no use of the service (spec, Errors: billing knows no 429). */
const UNLIMITED = "/v1/billing/";
/** What is metered in tokens. */
const METERED = new Set(["/v1/chat/completions", "/v1/completions", "/v1/responses", "/v1/embeddings"]);

interface LimitedRequest {
  holder: KeyHolder;
  request: Request;
  path: string;
  isBatch: boolean;
}

/** Answers a request that was let in. It may take over `admission`: then it finishes it, however it ends. */
type Answer = (request: Request, admission?: Admission) => Promise<Response>;

/** Answers within the limits of the key, and says on the answer, whatever it is, where they stand. */
export async function withinLimits(
  limiter: Limiter | undefined,
  { holder, request, path, isBatch }: LimitedRequest,
  answer: Answer,
): Promise<Response> {
  if (!limiter || !holder.limited || path.startsWith(UNLIMITED)) return answer(request);
  const isMetered = METERED.has(path);
  const text = isMetered ? await request.text() : undefined;
  const demand = {
    id: requestIdOf(request),
    tokens: text === undefined ? 0 : estimateTokens(text),
    isMetered,
    isBatch,
  };
  const admission = await limiter
    .admit(holder, demand)
    .catch((error) => Promise.reject(error instanceof LimitError ? toApiError(error, holder) : error));
  const again = text === undefined ? request : keepRequestId(request, new Request(request, { body: text }));
  let isAnswered = false;
  try {
    const response = await answer(again, admission).catch(errorResponse);
    isAnswered = response.ok && admission.isTaken;
    for (const [name, value] of Object.entries(rateHeaders(admission.rates)))
      response.headers.set(name, value);
    return response;
  } finally {
    if (!isAnswered) await admission.finish();
  }
}

function rateHeaders(rates: RateStates): Record<string, string> {
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

/** OpenAI's `type` says which limit it was; its `code` is the same for all but a quota that is used up. */
function toApiError({ refusal, rates }: LimitError, holder: KeyHolder): ApiError {
  const { reason, limit, used, requested, span, waitMs } = refusal;
  const key = `API key '${holder.limited!.name}'`;
  const numbers = `Limit ${limit}, Used ${used}, Requested ${requested}`;
  if (reason === "quota") {
    const word = span === "day" ? "daily" : "monthly";
    const message = `You exceeded your current quota: the ${word} quota of ${key} does not allow this request. ${numbers}. It starts anew in ${formatDuration(waitMs)}, at 00:00 UTC; until then use another key, or have one made with a larger quota (runtime.keys).`;
    return limited("insufficient_quota", "insufficient_quota", message, waitMs, rates, false);
  }
  const type = reason === "tokens" ? "tokens" : "requests";
  if (waitMs === Number.POSITIVE_INFINITY) {
    const message = `Request too large for ${key} on ${WHAT[reason]}: Limit ${limit}, Requested ${requested}. The input or output tokens must be reduced in order to run successfully.`;
    return limited("rate_limit_exceeded", type, message, undefined, rates, false);
  }
  const message = `Rate limit reached for ${key} on ${WHAT[reason]}: ${numbers}. Please try again in ${formatDuration(waitMs)}.`;
  return limited("rate_limit_exceeded", type, message, waitMs, rates, true);
}

/** @param isWorthRetrying whether the SDK's own retries can help: they wait no longer than their patience */
function limited(
  code: string,
  type: "insufficient_quota" | "requests" | "tokens",
  message: string,
  waitMs: number | undefined,
  rates: RateStates,
  isWorthRetrying: boolean,
): ApiError {
  const headers: Record<string, string> = {
    ...rateHeaders(rates),
    "x-should-retry": String(isWorthRetrying),
  };
  if (waitMs !== undefined) {
    headers["retry-after"] = String(Math.ceil(waitMs / 1000));
    headers["retry-after-ms"] = String(waitMs);
  }
  return new ApiError(429, code, message, { type, headers });
}
