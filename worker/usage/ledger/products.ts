/** Products, and the quantities of them that an event uses. */

import type { Tier } from "../../../src/protocol/rpc/billing.ts";
import { type EventRow, HOUR_MS, type ProductId, type RollupRow } from "./schema.ts";

/** In invoice order. */
export const PRODUCT_NAMES: Record<ProductId, string> = {
  "text-input-tokens": "Text input tokens",
  "text-cached-input-tokens": "Text cached input tokens",
  "text-output-tokens": "Text output tokens",
  "embedding-input-tokens": "Embedding input tokens",
};

export const PRODUCT_IDS = Object.keys(PRODUCT_NAMES) as ProductId[];

export const TIERS = ["serverless", "dedicated", "batch", "upstream"] as const satisfies readonly Tier[];

/** The part of an event that determines product quantities. */
interface ProductUse {
  endpoint: string;
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
}

/** Quantity of each product, omitting zeros. */
export function quantitiesOf(use: ProductUse): [ProductId, number][] {
  const quantities: [ProductId, number][] = isEmbedding(use.endpoint)
    ? [["embedding-input-tokens", use.inputTokens]]
    : [
        ["text-input-tokens", use.inputTokens - use.cachedTokens],
        ["text-cached-input-tokens", use.cachedTokens],
        ["text-output-tokens", use.outputTokens],
      ];
  return quantities.filter(([, quantity]) => quantity > 0);
}

/** The roll-up rows that one event adds to: one per product used. */
export function rollupsOf(event: Omit<EventRow, "recorded_ms">): RollupRow[] {
  if (event.voided) return [];
  const { endpoint, input_tokens: inputTokens, cached_tokens: cachedTokens } = event;
  return quantitiesOf({ endpoint, inputTokens, cachedTokens, outputTokens: event.output_tokens }).map(
    ([product_id, quantity]) => ({
      account: event.account,
      hour_ms: hourOf(event.time_ms),
      product_id,
      model: event.model,
      tier: event.tier,
      deployment_name: event.deployment_name,
      gpu_type: event.gpu_type,
      quantity,
      event_count: 1,
    }),
  );
}

export function hourOf(timeMs: number): number {
  return Math.floor(timeMs / HOUR_MS) * HOUR_MS;
}

function isEmbedding(endpoint: string): boolean {
  return endpoint === "/v1/embeddings";
}
