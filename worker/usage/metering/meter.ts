/** Usage from the first token to the ledger: begin → checkpoint → settle. */

import type { Tier } from "../../../src/protocol/rpc/billing.ts";
import type { Outcome } from "../ledger/schema.ts";

/** Exact token counts of one request. */
export interface TokenCounts {
  /** The whole prompt as passed to the model. */
  inputTokens: number;
  /** Input tokens that were already in the KV cache. */
  cachedTokens: number;
  /** Sampled tokens, including the end token. */
  outputTokens: number;
  reasoningTokens: number;
}

export const NO_TOKENS: TokenCounts = {
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
};

/** What is known about a request before it runs. */
export interface MeteredRequest {
  /** The request id, as idempotency key: settling it twice counts once. */
  transactionId: string;
  account: string;
  endpoint: string;
  tier: Tier;
  model: string;
  stream: boolean;
  /** How many servers had the request before. They may wake and record it, too. @default 0 */
  attempt?: number;
  /** The dedicated deployment; invoice lines are grouped by it. */
  deploymentName?: string;
  /** Called on each write: a model may load only after its request began. */
  gpuType?: () => string;
}

/** Meter for one request. Never throws: a billing failure must not fail inference. */
export interface RequestMeter {
  /** Counts for the part of the response stream read so far. Never awaited on the token path. */
  checkpoint(counts: TokenCounts): void;
  /**
   * Records the final counts; resolves with them once durable, or with undefined if nothing is charged. Repeated
   * calls have no effect. For `interrupted` (the reading page died), the last checkpoint is recorded instead.
   */
  settle(outcome: Outcome, counts: TokenCounts): Promise<TokenCounts | undefined>;
  /**
   * Reverses settled usage of a response that was never read, unless its billing period is closed. Returns whether it
   * was charged until then.
   */
  reverseUsage(): Promise<boolean>;
}

export interface Meter {
  begin(request: MeteredRequest): RequestMeter;
}

/** Undelivered responses are free; a non-streaming response is delivered whole or not at all. */
export function isFree(outcome: Outcome, counts: TokenCounts, stream: boolean): boolean {
  return outcome !== "completed" && (!stream || counts.outputTokens === 0);
}
