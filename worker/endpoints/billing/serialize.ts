/** Pure response objects of the billing endpoints. */

import type { Breakdown, Invoice } from "../../../src/protocol/rpc/billing.ts";
import { encodeCursor } from "../../usage/billing/cursor.ts";
import type { BreakdownPage } from "../../usage/billing/invoices/breakdown.ts";
import { toBreakdown, toInvoice } from "../../usage/billing/serialize.ts";
import type { InvoiceRow } from "../../usage/ledger/schema.ts";

export const invoiceObject = toInvoice;

export function invoiceList(invoices: readonly InvoiceRow[]): { invoices: Invoice[] } {
  return { invoices: invoices.map(toInvoice) };
}

export function breakdownPage(
  { items, nextMs }: BreakdownPage,
  checksum: string,
): { breakdowns: Breakdown[]; next_page: string | null } {
  return {
    breakdowns: items.map(toBreakdown),
    next_page: nextMs === null ? null : encodeCursor(nextMs, checksum),
  };
}
