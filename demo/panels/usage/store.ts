/** Ledger data from `/v1/billing`, reloaded whenever the ledger changes. */

import { type Signal, signal } from "@preact/signals";
import type { Breakdown, Invoice, UsageEvent } from "infetch/billing";
import { Resource } from "../../store/loadable.ts";
import { openai, runtime } from "../../store/runtime.ts";

export type WindowSize = "hour" | "day";
export type Grouping = "model" | "tier" | "product";
export type Measure = "tokens" | "cost";

export const windowSize: Signal<WindowSize> = signal("hour");
export const grouping: Signal<Grouping> = signal("model");
export const measure: Signal<Measure> = signal("tokens");
/** The invoice shown in detail. */
export const shownInvoice: Signal<Invoice | undefined> = signal(undefined);

const HOUR_MS = 3_600_000;
/** Windows in the chart: one list page of each size. */
const WINDOWS: Record<WindowSize, number> = { hour: 24, day: 30 };

/** Draft of this month, or null before any usage. */
export const draft = new Resource<Invoice | null>(async () => {
  const client = await openai();
  try {
    return await client.get<Invoice>("/billing/invoices/current");
  } catch (error) {
    if ((error as { status?: number }).status === 404) return null;
    throw error;
  }
});

/** All invoices, newest first. */
export const invoices = new Resource<Invoice[]>(async () => {
  const client = await openai();
  const { invoices: all } = await client.get<{ invoices: Invoice[] }>("/billing/invoices");
  return all.reverse();
});

export interface Period {
  startMs: number;
  stepMs: number;
  windows: number;
}

/** The newest windows, including the current one; UTC hours or days. */
function newestPeriod(size: WindowSize, nowMs: number): Period {
  const stepMs = size === "hour" ? HOUR_MS : 24 * HOUR_MS;
  const endMs = (Math.floor(nowMs / stepMs) + 1) * stepMs;
  return { startMs: endMs - WINDOWS[size] * stepMs, stepMs, windows: WINDOWS[size] };
}

/** Usage per chart window. */
export const breakdowns = new Resource<{ period: Period; items: Breakdown[] }>(async () => {
  const client = await openai();
  const size = windowSize.peek();
  const period = newestPeriod(size, Date.now());
  const query = {
    starting_on: new Date(period.startMs).toISOString(),
    ending_before: new Date(period.startMs + period.windows * period.stepMs).toISOString(),
    window_size: size,
    skip_zero_qty_line_items: true,
  };
  const items: Breakdown[] = [];
  let next_page: string | null = null;
  do {
    const page: { breakdowns: Breakdown[]; next_page: string | null } = await client.get(
      "/billing/invoices/breakdowns",
      { query: next_page === null ? query : { ...query, next_page } },
    );
    items.push(...page.breakdowns);
    next_page = page.next_page;
  } while (next_page !== null);
  return { period, items };
});

/** Individual requests, newest first. */
export const events = new Resource<UsageEvent[]>(async () => {
  const listed = await runtime().usage.list({ limit: 200 });
  return listed.reverse();
});

function refreshAll(): void {
  for (const resource of [draft, invoices, breakdowns, events]) void resource.refresh();
}

/** Loads the ledger now and after every change. Returns a function that stops it. */
export function watchLedger(): () => void {
  refreshAll();
  return runtime().on("ledger", refreshAll);
}
