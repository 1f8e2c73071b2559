/** Usage lines: roll-ups × prices, for a period or one of its windows. */

import { groupBy } from "../../../../src/shared/group-by.ts";
import { PRODUCT_IDS, PRODUCT_NAMES } from "../../ledger/products.ts";
import type { LineRow, ProductId, RollupRow } from "../../ledger/schema.ts";
import type { RateCard } from "../prices/rate-card.ts";
import type { Period } from "./periods.ts";

/** The lines of a period: one per product, model, tier, deployment and price used in it. */
export function deriveLines(rollups: readonly RollupRow[], card: RateCard, period: Period): LineRow[] {
  const lines = [...groupBy(rollups, seriesOf).values()].flatMap((rows) => linesOfSeries(rows, card, period));
  return lines.sort(inListOrder);
}

function linesOfSeries(rows: readonly RollupRow[], card: RateCard, period: Period): LineRow[] {
  const { product_id, model, tier, deployment_name, gpu_type } = rows[0]!;
  return card
    .segments({ product_id, model, tier }, period.startMs, period.endMs)
    .map(({ startMs, endMs, unitPricePico }) => ({
      line: {
        type: "usage" as const,
        product_id,
        name: `${PRODUCT_NAMES[product_id]} – ${model}`,
        model,
        tier,
        deployment_name,
        gpu_type,
        unit_price_pico: String(unitPricePico),
        starting_ms: startMs,
        ending_ms: endMs,
      },
      quantity: quantityIn(rows, startMs, endMs),
    }))
    .filter(({ quantity }) => quantity > 0)
    .map(({ line, quantity }) => withQuantity(line, quantity));
}

/**
 * Clips the lines to one window, keeping zeros so that charts get a dense series. Uses the invoice's own prices, so
 * that all windows of a period sum to the invoice.
 *
 * @param rollups of that window
 */
export function clipLines(
  lines: readonly LineRow[],
  rollups: readonly RollupRow[],
  window: Period,
): LineRow[] {
  const series = groupBy(rollups, seriesOf);
  return lines
    .filter((line) => line.type === "usage")
    .filter((line) => line.starting_ms < window.endMs && line.ending_ms > window.startMs)
    .map((line) => {
      const startMs = Math.max(line.starting_ms, window.startMs);
      const endMs = Math.min(line.ending_ms, window.endMs);
      const quantity = quantityIn(series.get(seriesOf(line)) ?? [], startMs, endMs);
      return withQuantity({ ...line, starting_ms: startMs, ending_ms: endMs }, quantity);
    });
}

/** The exact sum of all lines. */
export function sumOf(lines: readonly LineRow[]): bigint {
  return lines.reduce((sum, line) => sum + BigInt(line.total_pico), 0n);
}

function withQuantity(line: Omit<LineRow, "quantity" | "total_pico">, quantity: number): LineRow {
  return { ...line, quantity, total_pico: String(BigInt(quantity) * BigInt(line.unit_price_pico)) };
}

function quantityIn(rows: readonly RollupRow[], startMs: number, endMs: number): number {
  let quantity = 0;
  for (const row of rows) if (row.hour_ms >= startMs && row.hour_ms < endMs) quantity += row.quantity;
  return quantity;
}

type Series = Pick<LineRow, "product_id" | "model" | "tier" | "deployment_name" | "gpu_type">;

function seriesOf(row: Series): string {
  return JSON.stringify([row.product_id, row.model, row.tier, row.deployment_name, row.gpu_type]);
}

/** By model, tier and deployment, then in product order, then by time: the same in every tab. */
function inListOrder(a: LineRow, b: LineRow): number {
  return (
    compare(a.model, b.model) ||
    compare(a.tier, b.tier) ||
    compare(a.deployment_name, b.deployment_name) ||
    compare(a.gpu_type, b.gpu_type) ||
    productOrder(a) - productOrder(b) ||
    a.starting_ms - b.starting_ms
  );
}

function productOrder(line: LineRow): number {
  return PRODUCT_IDS.indexOf(line.product_id as ProductId);
}

/** By code unit, not by locale. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
