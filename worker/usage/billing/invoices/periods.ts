/** A billing period is a UTC calendar month, `[start, end)`. */

import type { Invoice, InvoiceStatus } from "../../../../src/protocol/rpc/billing.ts";

export interface Period {
  startMs: number;
  endMs: number;
}

export function periodOf(timeMs: number): Period {
  const date = new Date(timeMs);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  return { startMs: Date.UTC(year, month, 1), endMs: Date.UTC(year, month + 1, 1) };
}

/** A pure function of the clock: a period closes after its end plus the grace time. */
export function statusOf(period: Period, nowMs: number, graceMs: number): Exclude<InvoiceStatus, "VOID"> {
  return nowMs >= period.endMs + graceMs ? "FINALIZED" : "DRAFT";
}

/** `inv_<yyyymm>[_<type>]_<revision>_<account>`: the same in every tab, as a draft and frozen. */
export function invoiceId(account: string, type: Invoice["type"], startMs: number, revision: number): string {
  const month = new Date(startMs).toISOString().slice(0, 7).replace("-", "");
  const kind = type === "USAGE" ? [] : [type.toLowerCase()];
  return ["inv", month, ...kind, revision, account].join("_");
}

/** The account at the end of an invoice id, or undefined if it is not an invoice id. */
export function accountOfInvoice(id: string): string | undefined {
  return /^inv_\d{6}(?:_[a-z_]+)?_\d+_(.+)$/.exec(id)?.[1];
}
