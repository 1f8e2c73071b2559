/** An account's usage in a half-open range, split into windows of a UTC day or hour. */

import { groupBy } from "../../../../src/shared/group-by.ts";
import { LedgerError } from "../../ledger/ledger-error.ts";
import { hourOf, rollupsOf } from "../../ledger/products.ts";
import { readRollups, sumRollups } from "../../ledger/rollups.ts";
import { HOUR_MS, type LedgerTransaction, type LineRow, type RollupRow } from "../../ledger/schema.ts";
import { differences, eventsInBatches } from "../../ledger/verify.ts";
import { WINDOW_MS, type WindowSize } from "../invoices/breakdown.ts";
import { type BillingView, readBillingState } from "../invoices/invoice.ts";
import { clipLines } from "../invoices/lines.ts";
import type { Period } from "../invoices/periods.ts";
import { formatTimestamp } from "../timestamps.ts";

/** Half-open, by billing time. */
export interface ExportRange {
  fromMs: number;
  toMs: number;
}

/** The lines of one window, none of which is zero. */
export interface UsageWindow {
  /** Ends at the range's bounds. */
  window: Period;
  lines: LineRow[];
}

/**
 * All usage of the range on invoices that are not void, by window. Exact also where a bound cuts an hour.
 *
 * @throws {LedgerError} `invalid_argument` for a bound inside an hour whose requests are no longer stored
 */
export async function readUsageWindows(
  transaction: LedgerTransaction,
  view: BillingView,
  { windowSize, fromMs, toMs }: ExportRange & { windowSize: WindowSize },
): Promise<UsageWindow[]> {
  const unitMs = WINDOW_MS[windowSize];
  const { account } = view;
  const { invoices } = await readBillingState(transaction, view);
  const windows: UsageWindow[] = [];
  for (const invoice of invoices) {
    if (invoice.type !== "USAGE" || invoice.status === "VOID") continue;
    const range = {
      fromMs: Math.max(fromMs, invoice.period_start_ms),
      toMs: Math.min(toMs, invoice.period_end_ms),
    };
    if (range.fromMs >= range.toMs) continue;
    const rollups = await readExactly(transaction, account, range);
    const windowOf = ({ hour_ms }: RollupRow) => Math.floor(hour_ms / unitMs) * unitMs;
    for (const [startMs, rows] of groupBy(rollups, windowOf)) {
      const endMs = startMs + unitMs;
      const lines = clipLines(invoice.lines, rows, { startMs, endMs }).filter(({ quantity }) => quantity > 0);
      if (lines.length === 0) continue;
      windows.push({
        window: { startMs: Math.max(startMs, range.fromMs), endMs: Math.min(endMs, range.toMs) },
        lines,
      });
    }
  }
  return windows;
}

/** Roll-ups of a range. Those of an hour that a bound cuts are summed from its events inside the range. */
async function readExactly(
  transaction: LedgerTransaction,
  account: string,
  range: ExportRange,
): Promise<RollupRow[]> {
  let rollups = await readRollups(transaction, account, range.fromMs, range.toMs);
  const cuts = new Map<number, "from" | "to">();
  if (range.toMs % HOUR_MS > 0) cuts.set(hourOf(range.toMs), "to");
  if (range.fromMs % HOUR_MS > 0) cuts.set(hourOf(range.fromMs), "from");
  for (const [hourMs, bound] of cuts) {
    const stored = rollups.filter((row) => row.hour_ms === hourMs);
    if (stored.length === 0) continue;
    const whole = await sumEvents(transaction, account, { fromMs: hourMs, toMs: hourMs + HOUR_MS });
    // Events are deleted after a while, and the rest would be less than was used.
    if (differences(whole, stored).length > 0) throw cutsHour(bound, hourMs);
    const inside = await sumEvents(transaction, account, {
      fromMs: Math.max(hourMs, range.fromMs),
      toMs: Math.min(hourMs + HOUR_MS, range.toMs),
    });
    rollups = [...rollups.filter((row) => row.hour_ms !== hourMs), ...inside.values()];
  }
  return rollups.sort((a, b) => a.hour_ms - b.hour_ms);
}

async function sumEvents(transaction: LedgerTransaction, account: string, { fromMs, toMs }: ExportRange) {
  const sums = new Map<string, RollupRow>();
  for await (const events of eventsInBatches(transaction, account, fromMs, toMs)) {
    sumRollups(events.flatMap(rollupsOf), sums);
  }
  return sums;
}

function cutsHour(bound: "from" | "to", hourMs: number): LedgerError {
  const hour = formatTimestamp(bound === "from" ? hourMs : hourMs + HOUR_MS);
  return new LedgerError(
    "invalid_argument",
    `'${bound}' is inside an hour of which only the sums are stored. Use a full UTC hour, such as '${hour}'.`,
  );
}
