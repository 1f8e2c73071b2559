/** The four billing endpoints. Order of errors: 403 → 400 → 404 → 502. */

import { ApiError } from "../../http/api-error.ts";
import { ignoredParameters } from "../../http/query.ts";
import type { Billing } from "../../usage/billing/billing.ts";
import { LedgerError } from "../../usage/ledger/ledger-error.ts";
import type { InvoiceRow } from "../../usage/ledger/schema.ts";
import type { Handler, Services } from "../endpoint.ts";
import {
  BREAKDOWN_PARAMS,
  LIST_PARAMS,
  type ListQuery,
  parseBreakdownParams,
  parseListParams,
} from "./params.ts";
import { breakdownPage, invoiceList, invoiceObject } from "./serialize.ts";

/** `GET /v1/billing/invoices/current` */
export const currentInvoice: Handler = async ({ holder }, services) => {
  const billing = await requireBilling(holder.account, services);
  const invoice = await fromLedger(() => billing.current(holder.account));
  if (!invoice) throw notFound("There is no active draft invoice: nothing has been used in this period yet.");
  return Response.json(invoiceObject(invoice));
};

/** `GET /v1/billing/invoices` */
export const listInvoices: Handler = async ({ holder, request }, services) => {
  const billing = await requireBilling(holder.account, services);
  const search = new URL(request.url).searchParams;
  const query = parseListParams(search);
  const { invoices } = await fromLedger(() => billing.state(holder.account));
  const listed = invoices.filter((invoice) => isListed(invoice, query));
  return Response.json(invoiceList(listed), { headers: ignoredParameters(search, LIST_PARAMS) });
};

/** `GET /v1/billing/invoices/{invoice_id}` */
export const retrieveInvoice: Handler = async ({ holder, params }, services) => {
  const billing = await requireBilling(holder.account, services);
  const { invoices } = await fromLedger(() => billing.state(holder.account));
  const invoice = invoices.find((one) => one.id === params.invoice_id);
  if (!invoice) throw notFound("No such invoice.");
  return Response.json(invoiceObject(invoice));
};

/** `GET /v1/billing/invoices/breakdowns` */
export const invoiceBreakdowns: Handler = async ({ holder, request }, services) => {
  const billing = await requireBilling(holder.account, services);
  const search = new URL(request.url).searchParams;
  const { query, checksum } = parseBreakdownParams(search, holder.account);
  const page = await fromLedger(() => billing.breakdown(holder.account, query));
  const headers = ignoredParameters(search, BREAKDOWN_PARAMS);
  return Response.json(breakdownPage(page, checksum), { headers });
};

/** `starting_on` selects periods that start at or after it; `ending_before` those that end strictly before it. */
function isListed(invoice: InvoiceRow, { status, startingOnMs, endingBeforeMs }: ListQuery): boolean {
  return (
    (status === undefined || invoice.status === status) &&
    (startingOnMs === undefined || invoice.period_start_ms >= startingOnMs) &&
    (endingBeforeMs === undefined || invoice.period_end_ms < endingBeforeMs)
  );
}

/** An unreadable ledger is not a 403: reads fail with 502, after the query is validated. */
async function requireBilling(account: string, { billing }: Services): Promise<Billing> {
  const loaded = await billing?.();
  if (loaded && (await loaded.isConfigured(account)) !== false) return loaded;
  const message = "Account not found, or billing is not configured for it.";
  throw new ApiError(403, "billing_not_configured", message, { type: "permission_error" });
}

/** @throws {ApiError} 502: the ledger is the service's billing provider */
async function fromLedger<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    throw new ApiError(502, error.code, error.message, { type: "billing_provider_error", cause: error });
  }
}

function notFound(message: string): ApiError {
  return new ApiError(404, "invoice_not_found", message);
}
