/** Invoice transitions: finalize, void and re-issue. */

import { readAccountMeta, writeAccountMeta } from "../../ledger/accounts.ts";
import { LedgerError } from "../../ledger/ledger-error.ts";
import { quarantineRow } from "../../ledger/quarantine.ts";
import type { InvoiceRow, LedgerTransaction } from "../../ledger/schema.ts";
import { CreditBalance } from "../credits.ts";
import { type BillingView, deriveInvoice, readBillingState } from "./invoice.ts";

/**
 * Freezes the oldest due period with its lines and totals, and moves the start of the account's open periods past
 * it. Returns the invoice, or undefined if nothing is due, also when another caller was first.
 */
export async function freezeOldest(
  transaction: LedgerTransaction,
  view: BillingView,
): Promise<InvoiceRow | undefined> {
  const { account } = view;
  const { invoices, nowMs } = await readBillingState(transaction, view, "oldest");
  const due = invoices.find((invoice) => invoice.frozen_ms === null && invoice.status === "FINALIZED");
  if (!due) return undefined;
  const frozen: InvoiceRow = { ...due, frozen_ms: nowMs };
  await putInvoice(transaction, frozen);
  const meta = await readAccountMeta(transaction, account);
  await writeAccountMeta(transaction, account, { ...meta, open_from_ms: frozen.period_end_ms });
  return frozen;
}

/**
 * FINALIZED → VOID, once. Lines and totals are kept; applied credit is released.
 *
 * @throws {LedgerError} `invalid_transition`
 */
export async function voidFrozen(
  transaction: LedgerTransaction,
  invoice: InvoiceRow,
  nowMs: number,
  reason: string,
): Promise<InvoiceRow> {
  if (invoice.status !== "FINALIZED") {
    throw new LedgerError(
      "invalid_transition",
      `Only a FINALIZED invoice can be voided; '${invoice.id}' is ${invoice.status}.`,
    );
  }
  const voided: InvoiceRow = { ...invoice, status: "VOID", voided_ms: nowMs, void_reason: reason };
  await transaction.objectStore("invoices").put(voided);
  return voided;
}

/**
 * A new revision of a voided invoice, with a new id, recomputed from the roll-ups.
 *
 * @throws {LedgerError} `invoice_not_found`; `invalid_transition` unless the invoice is VOID and the last of its
 * period
 */
export async function reissue(
  transaction: LedgerTransaction,
  view: BillingView,
  id: string,
): Promise<InvoiceRow> {
  const { account, terms } = view;
  const { invoices, card, grants, nowMs } = await readBillingState(transaction, view);
  const source = invoices.find((invoice) => invoice.id === id);
  if (!source) throw invoiceNotFound(id);
  const last = invoices.findLast((invoice) => invoice.period_start_ms === source.period_start_ms);
  if (source.status !== "VOID") {
    const message = `Only a VOID invoice can be regenerated; '${id}' is ${source.status}.`;
    throw new LedgerError("invalid_transition", message);
  }
  if (last !== source) {
    const message = `Only the latest invoice of a period can be regenerated: '${last?.id}', not '${id}'.`;
    throw new LedgerError("invalid_transition", message);
  }
  const period = { startMs: source.period_start_ms, endMs: source.period_end_ms };
  // Excludes drafts: they have not spent their credit yet.
  const standing = invoices.filter((invoice) => invoice.frozen_ms !== null);
  const credits = new CreditBalance(grants, standing);
  const head = { account, period, revision: source.revision + 1, status: "FINALIZED" as const };
  const derived = await deriveInvoice(transaction, head, { card, credits, terms });
  const frozen: InvoiceRow = { ...derived, frozen_ms: nowMs, issued_ms: nowMs, regenerated_from: id };
  await putInvoice(transaction, frozen);
  return frozen;
}

/** Stores an invoice. Any other row with its period or id is invalid, and is quarantined. */
export async function putInvoice(transaction: LedgerTransaction, invoice: InvoiceRow): Promise<void> {
  const { id, account, type, period_start_ms, revision } = invoice;
  const store = transaction.objectStore("invoices");
  const replace = async (row: InvoiceRow): Promise<void> => {
    await quarantineRow(transaction, "invoices", row);
    await store.delete(row.id);
  };
  const inPlace = await store.index("by_account_period").get([account, type, period_start_ms, revision]);
  if (inPlace) await replace(inPlace);
  const ofSameId = await store.get(id);
  if (ofSameId) await replace(ofSameId);
  await store.put(invoice);
}

export function invoiceNotFound(id: string): LedgerError {
  return new LedgerError("invoice_not_found", `The invoice '${id}' does not exist.`);
}
