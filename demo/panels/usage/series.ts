/** Converts breakdowns to chart series, one per model, tier or product. */

import type { Breakdown, LineItem } from "infetch/billing";
import type { Grouping, Measure, Period } from "./store.ts";

interface Series {
  name: string;
  /** One per window. */
  values: number[];
}

export interface ChartData {
  /** Start of each window, in Unix seconds. */
  times: number[];
  /** Largest first; the smallest beyond the limit are merged. */
  series: Series[];
  total: number;
}

/** Number of distinguishable colors. */
const MAX_SERIES = 5;

export function toChartData(
  period: Period,
  items: readonly Breakdown[],
  grouping: Grouping,
  measure: Measure,
): ChartData {
  const { startMs, stepMs, windows } = period;
  const times = Array.from({ length: windows }, (_, at) => (startMs + at * stepMs) / 1000);
  const byName = new Map<string, number[]>();
  for (const item of items) {
    const at = Math.floor((Date.parse(item.breakdown_start_timestamp) - startMs) / stepMs);
    if (at < 0 || at >= windows) continue;
    for (const line of item.line_items) {
      if (line.type !== "usage") continue;
      const name = nameOf(line, grouping);
      const values = byName.get(name) ?? times.map(() => 0);
      values[at]! += measure === "cost" ? line.total : line.quantity;
      byName.set(name, values);
    }
  }
  const series = foldSmall([...byName].map(([name, values]) => ({ name, values })));
  return { times, series, total: sum(series.map(({ values }) => sum(values))) };
}

function nameOf(line: LineItem, grouping: Grouping): string {
  if (grouping === "model") return line.presentation_group_values.model ?? line.name;
  if (grouping === "tier") return line.pricing_group_values.tier ?? "serverless";
  return line.product_id.replaceAll("-", " ").replace(/ tokens$/, "");
}

function foldSmall(series: Series[]): Series[] {
  const sorted = series.sort((a, b) => sum(b.values) - sum(a.values));
  if (sorted.length <= MAX_SERIES) return sorted;
  const small = sorted.slice(MAX_SERIES - 1);
  const others = small[0]!.values.map((_, at) => sum(small.map(({ values }) => values[at]!)));
  return [...sorted.slice(0, MAX_SERIES - 1), { name: "others", values: others }];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
