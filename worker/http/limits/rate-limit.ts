/** Enforces the limits of API keys, and adds the rate limit headers to responses: a part for keys with limits. */

import { copyState, requestIdOf, stateOf } from "../../../src/protocol/transfer/request-state.ts";
import type { Admission } from "../../usage/keys/admission-handle.ts";
import type { KeyHolder } from "../../usage/keys/key-ring.ts";
import { LimitError } from "../../usage/keys/limit-error.ts";
import type { Limiter } from "../../usage/keys/limiter.ts";
import { errorResponse } from "../error-response.ts";
import { limitResponseError, rateHeaders } from "./limit-refusal.ts";
import { estimateTokens, isMetered } from "./token-estimate.ts";

const NO_ESTIMATE = { promptTokens: 0, outputTokens: 0 };

export interface LimitedRequest {
  holder: KeyHolder;
  request: Request;
  path: string;
  isBatch: boolean;
}

/** Handles an admitted request. If it takes over `admission`, it must also finish it on failure. */
export type HandleAdmitted = (request: Request, admission?: Admission) => Promise<Response>;

/** Handles a request within the limits of its key, and adds the rate limit headers, also to errors. */
export async function withinLimits(
  limiter: Limiter,
  { holder, request, path, isBatch }: LimitedRequest,
  handle: HandleAdmitted,
): Promise<Response> {
  const body = isMetered(path) ? await request.arrayBuffer() : undefined;
  const { promptTokens, outputTokens } = body
    ? estimateTokens(path, new TextDecoder().decode(body))
    : NO_ESTIMATE;
  const admission = await limiter
    .admit(holder, {
      id: requestIdOf(request),
      attempt: stateOf(request).attempt,
      tokens: promptTokens + outputTokens,
      promptTokens,
      isMetered: body !== undefined,
      isBatch,
    })
    .catch(throwResponseError);
  // What is aborted before it uses a model takes no place, even if something that it waits for never ends.
  const onAbort = (): void => {
    if (!admission.isTaken) admission.finish().catch(() => {});
  };
  request.signal.addEventListener("abort", onAbort);
  if (request.signal.aborted) onAbort();
  const again = body ? copyState(request, new Request(request, { body })) : request;
  let isTakenOver = false;
  try {
    const response = await handle(again, admission).catch(throwResponseError).catch(errorResponse);
    isTakenOver = response.ok && admission.isTaken;
    for (const [name, value] of Object.entries(rateHeaders(admission.rates)))
      response.headers.set(name, value);
    return response;
  } finally {
    request.signal.removeEventListener("abort", onAbort);
    if (!isTakenOver) await admission.finish();
  }
}

/** @throws {ApiError} for a refusal by a limit; other errors as they are */
function throwResponseError(error: unknown): never {
  throw error instanceof LimitError ? limitResponseError(error) : error;
}
