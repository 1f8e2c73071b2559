/** Finds and restores lost invoices: each closed month with usage has one. */

import { readAccountMeta } from "../../ledger/accounts.ts";
import type { LedgerDatabase } from "../../ledger/database.ts";
import { firstHourWithUsage } from "../../ledger/rollups.ts";
import type { InvoiceRow, LedgerTransaction } from "../../ledger/schema.ts";
import { CreditBalance } from "../credits.ts";
import { putInvoice } from "./finalize.ts";
import {
  BILLING_STORES,
  type BillingView,
  deriveInvoice,
  frozenInvoices,
  readBillingState,
} from "./invoice.ts";
import { type Period, periodOf } from "./periods.ts";

/** Ids of missing invoices, oldest first. */
export function missingInvoices(database: LedgerDatabase, view: BillingView): Promise<string[]> {
  return database.read(BILLING_STORES, async (transaction) =>
    (await deriveMissing(transaction, view)).map(({ id }) => id),
  );
}

/** Recreates them unchanged: roll-ups, prices and the credits that no other invoice used are kept. */
export function restoreInvoices(database: LedgerDatabase, view: BillingView): Promise<string[]> {
  return database.write(BILLING_STORES, async (transaction) => {
    const missing = await deriveMissing(transaction, view);
    for (const invoice of missing) await putInvoice(transaction, invoice);
    return missing.map(({ id }) => id);
  });
}

async function deriveMissing(transaction: LedgerTransaction, view: BillingView): Promise<InvoiceRow[]> {
  const { account, terms } = view;
  const { card, grants, nowMs } = await readBillingState(transaction, view, "oldest");
  const frozen = await frozenInvoices(transaction, account);
  const credits = new CreditBalance(grants, frozen);
  const missing: InvoiceRow[] = [];
  for (const period of await closedPeriods(transaction, account)) {
    if (frozen.some((row) => row.period_start_ms === period.startMs)) continue;
    const head = { account, period, revision: 0, status: "FINALIZED" as const };
    const derived = await deriveInvoice(transaction, head, { card, credits, terms });
    missing.push({ ...derived, frozen_ms: nowMs });
  }
  return missing;
}

/** Closed months with usage, oldest first. */
async function closedPeriods(transaction: LedgerTransaction, account: string): Promise<Period[]> {
  const { open_from_ms } = await readAccountMeta(transaction, account);
  const periods: Period[] = [];
  let hourMs = await firstHourWithUsage(transaction, account, 0, open_from_ms);
  while (hourMs !== undefined) {
    const period = periodOf(hourMs);
    periods.push(period);
    hourMs = await firstHourWithUsage(transaction, account, period.endMs, open_from_ms);
  }
  return periods;
}
