/** Pure response objects of the billing endpoints (spec, Invoice and Line item). */

import type { Breakdown, Invoice } from "../../../src/protocol/billing.ts";
import type { BreakdownPage } from "../../billing/breakdown.ts";
import { encodeCursor } from "../../billing/cursor.ts";
import { toBreakdown, toInvoice } from "../../billing/shape.ts";
import type { InvoiceRow } from "../../ledger/schema.ts";

export const invoiceObject = toInvoice;

export function invoiceList(invoices: readonly InvoiceRow[]): { invoices: Invoice[] } {
  return { invoices: invoices.map(toInvoice) };
}

export function breakdownPage(
  { items, nextMs }: BreakdownPage,
  fingerprint: string,
): { breakdowns: Breakdown[]; next_page: string | null } {
  return {
    breakdowns: items.map(toBreakdown),
    next_page: nextMs === null ? null : encodeCursor(nextMs, fingerprint),
  };
}
