/** Maps a metered request to ledger rows. */

import type { NewEvent } from "../ledger/record.ts";
import type { Outcome } from "../ledger/schema.ts";
import type { MeteredRequest, TokenCounts } from "./meter.ts";

/** Columns shared by events and checkpoints. */
export function usageColumns(request: MeteredRequest, counts: TokenCounts) {
  const { transactionId, attempt, account, endpoint, tier, model, deploymentName, gpuType } = request;
  return {
    transaction_id: transactionId,
    ...(attempt ? { attempt } : {}),
    account,
    endpoint,
    tier,
    model,
    deployment_name: deploymentName ?? "",
    gpu_type: gpuType?.() ?? "",
    input_tokens: counts.inputTokens,
    cached_tokens: Math.min(counts.cachedTokens, counts.inputTokens),
    output_tokens: counts.outputTokens,
    reasoning_tokens: counts.reasoningTokens,
  };
}

/** The event for a request that ended at `nowMs`. */
export function usageEvent(
  request: MeteredRequest,
  outcome: Outcome,
  counts: TokenCounts,
  nowMs: number,
): NewEvent {
  const request_id = request.transactionId;
  return { ...usageColumns(request, counts), request_id, outcome, occurred_ms: nowMs, time_ms: nowMs };
}
