/** What is sold, and how many of it one event is. */

import { type EventRow, HOUR_MS, type ProductId, type RollupRow } from "./schema.ts";

/** In the order in which invoices list them. */
export const PRODUCT_NAMES: Record<ProductId, string> = {
  "text-input-tokens": "Text input tokens",
  "text-cached-input-tokens": "Text cached input tokens",
  "text-output-tokens": "Text output tokens",
  "embedding-input-tokens": "Embedding input tokens",
};

export const PRODUCT_IDS = Object.keys(PRODUCT_NAMES) as ProductId[];

/** The roll-up rows that one event adds to: one for each product of which it used anything. */
export function rollupsOf(event: EventRow): RollupRow[] {
  if (event.voided) return [];
  const quantities: [ProductId, number][] = isEmbedding(event.endpoint)
    ? [["embedding-input-tokens", event.input_tokens]]
    : [
        ["text-input-tokens", event.input_tokens - event.cached_tokens],
        ["text-cached-input-tokens", event.cached_tokens],
        ["text-output-tokens", event.output_tokens],
      ];
  return quantities
    .filter(([, quantity]) => quantity > 0)
    .map(([product_id, quantity]) => ({
      account: event.account,
      hour_ms: hourOf(event.time_ms),
      product_id,
      model: event.model,
      tier: event.tier,
      deployment_name: event.deployment_name,
      gpu_type: event.gpu_type,
      quantity,
      event_count: 1,
    }));
}

export function hourOf(timeMs: number): number {
  return Math.floor(timeMs / HOUR_MS) * HOUR_MS;
}

function isEmbedding(endpoint: string): boolean {
  return endpoint === "/v1/embeddings";
}
