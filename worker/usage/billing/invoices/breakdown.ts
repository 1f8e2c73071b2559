/** An account's invoices split into windows of a day or an hour. */

import type { InvoiceStatus } from "../../../../src/protocol/rpc/billing.ts";
import { readRollups } from "../../ledger/rollups.ts";
import { DAY_MS, HOUR_MS, type InvoiceRow, type LedgerTransaction } from "../../ledger/schema.ts";
import { type BillingView, readBillingState } from "./invoice.ts";
import { clipLines, sumOf } from "./lines.ts";
import type { Period } from "./periods.ts";

export type WindowSize = "hour" | "day";

export const WINDOW_MS: Record<WindowSize, number> = { hour: HOUR_MS, day: DAY_MS };

/** Maximum windows per list page. */
export const MAX_WINDOWS: Record<WindowSize, number> = { hour: 24, day: 35 };

export interface BreakdownQuery {
  windowSize: WindowSize;
  startingOnMs: number;
  endingBeforeMs: number;
  status: InvoiceStatus | undefined;
  skipZeroLines: boolean;
  /** Windows per list page, at most `MAX_WINDOWS`. */
  limit: number;
  /** Start of the list page's first window, from the cursor. */
  fromMs: number;
}

/** The part of an invoice in one window. */
export interface BreakdownItem {
  invoice: InvoiceRow;
  window: Period;
}

export interface BreakdownPage {
  items: BreakdownItem[];
  /** Start of the next list page's first window, or null at the end. */
  nextMs: number | null;
}

/** One page of the usage of invoices by window, oldest first. `nextMs` is the start of the next page, or null. */
export async function readBreakdown(
  transaction: LedgerTransaction,
  view: BillingView,
  query: BreakdownQuery,
): Promise<BreakdownPage> {
  const state = await readBillingState(transaction, view);
  const invoices = state.invoices.filter((one) => one.type === "USAGE" && hasStatus(one, query.status));
  const starts = windowStarts(invoices, query, state.nowMs);
  const page = starts.slice(0, query.limit);
  if (page.length === 0) return { items: [], nextMs: null };
  const unitMs = WINDOW_MS[query.windowSize];
  const rollups = await readRollups(transaction, view.account, page[0]!, page.at(-1)! + unitMs);
  const items = page.flatMap((startMs) => {
    const window = { startMs, endMs: startMs + unitMs };
    const inWindow = rollups.filter((row) => row.hour_ms >= startMs && row.hour_ms < window.endMs);
    return invoices
      .filter((invoice) => covers(invoice, startMs))
      .map((invoice) => {
        const lines = clipLines(invoice.lines, inWindow, window).filter(
          (line) => line.quantity > 0 || !query.skipZeroLines,
        );
        const total = String(sumOf(lines));
        return { window, invoice: { ...invoice, lines, subtotal_pico: total, total_pico: total } };
      });
  });
  return { items, nextMs: starts[query.limit] ?? null };
}

/**
 * Windows of the list page and the one after it, ascending: whole, inside the bounds, already begun, and in an
 * invoice's period. Only periods with invoices are walked, so that long gaps cost nothing.
 */
function windowStarts(invoices: readonly InvoiceRow[], query: BreakdownQuery, nowMs: number): number[] {
  const unitMs = WINDOW_MS[query.windowSize];
  const fromMs = Math.max(query.startingOnMs, query.fromMs);
  const starts: number[] = [];
  for (const periodStartMs of new Set(invoices.map((invoice) => invoice.period_start_ms))) {
    const { period_end_ms } = invoices.find((invoice) => invoice.period_start_ms === periodStartMs)!;
    const first = Math.ceil(Math.max(fromMs, periodStartMs) / unitMs) * unitMs;
    for (let at = first; at < period_end_ms && at < nowMs; at += unitMs) {
      if (at + unitMs > query.endingBeforeMs || starts.length > query.limit) return starts;
      starts.push(at);
    }
  }
  return starts;
}

function hasStatus(invoice: InvoiceRow, status: InvoiceStatus | undefined): boolean {
  return status === undefined || invoice.status === status;
}

function covers(invoice: InvoiceRow, timeMs: number): boolean {
  return invoice.period_start_ms <= timeMs && timeMs < invoice.period_end_ms;
}
