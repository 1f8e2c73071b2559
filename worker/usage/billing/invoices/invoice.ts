/** An account's invoices at one instant: frozen ones as stored, the others derived from roll-ups. */

import { readAccountMeta } from "../../ledger/accounts.ts";
import { firstHourWithUsage, readRollups } from "../../ledger/rollups.ts";
import { isValidRow } from "../../ledger/row-schemas.ts";
import {
  type GrantRow,
  type InvoiceRow,
  LAST_MS,
  type LedgerTransaction,
  type StoreName,
} from "../../ledger/schema.ts";
import { CreditBalance } from "../credits.ts";
import { type Aliases, RateCard } from "../prices/rate-card.ts";
import { deriveLines, sumOf } from "./lines.ts";
import { invoiceId, type Period, periodOf, statusOf } from "./periods.ts";

/** Configuration that affects invoices. */
export interface BillingTerms {
  /** How long a period stays open after its end. */
  graceMs: number;
  /** False if the app has disabled prices. */
  charges: boolean;
  aliases: Aliases;
}

/** Whose invoices are read, when, and on which terms. */
export interface BillingView {
  account: string;
  clockMs: number;
  terms: BillingTerms;
}

export interface BillingState {
  /** The clock, but never inside a frozen period, nor after the last month that can be billed. */
  nowMs: number;
  /** By period, then revision. */
  invoices: InvoiceRow[];
  card: RateCard;
  grants: GrantRow[];
  /** Credit left after all of the invoices. */
  credits: CreditBalance;
}

export const BILLING_STORES: readonly StoreName[] = ["rollups", "rates", "invoices", "grants", "meta"];

/**
 * Reads all invoices of an account in one transaction, so that they are consistent.
 *
 * @param derive which open periods are derived: closing needs only the oldest
 */
export async function readBillingState(
  transaction: LedgerTransaction,
  { account, clockMs, terms }: BillingView,
  derive: "all" | "oldest" = "all",
): Promise<BillingState> {
  const { open_from_ms } = await readAccountMeta(transaction, account);
  const nowMs = Math.min(Math.max(clockMs, open_from_ms), LAST_MS);
  const card = await RateCard.read(transaction, terms.aliases);
  const frozen = await frozenInvoices(transaction, account);
  const grants = await readGrants(transaction, account);
  const credits = new CreditBalance(grants, frozen);
  const derived: InvoiceRow[] = [];
  let fromMs: number | undefined = open_from_ms;
  while (true) {
    fromMs = await firstHourWithUsage(transaction, account, fromMs);
    if (fromMs === undefined) break;
    const period = periodOf(fromMs);
    const head = { account, period, revision: 0, status: statusOf(period, nowMs, terms.graceMs) };
    derived.push(await deriveInvoice(transaction, head, { card, credits, terms }));
    fromMs = period.endMs;
    if (derive === "oldest") break;
  }
  return { nowMs, card, grants, credits, invoices: [...frozen, ...derived] };
}

interface InvoiceHead {
  account: string;
  period: Period;
  revision: number;
  status: "DRAFT" | "FINALIZED";
}

/** What decides an invoice's amounts, besides the usage. */
interface Pricing {
  card: RateCard;
  credits: CreditBalance;
  terms: BillingTerms;
}

/** Derives an invoice from the period's roll-ups. Deducts applied credits from the balance. */
export async function deriveInvoice(
  transaction: LedgerTransaction,
  { account, period, revision, status }: InvoiceHead,
  { card, credits, terms }: Pricing,
): Promise<InvoiceRow> {
  const rollups = await readRollups(transaction, account, period.startMs, period.endMs);
  const usage = deriveLines(rollups, card, period);
  const subtotal = sumOf(usage);
  const lines = [...usage, ...credits.apply(subtotal, period)];
  return {
    id: invoiceId(account, "USAGE", period.startMs, revision),
    account,
    type: "USAGE",
    period_start_ms: period.startMs,
    period_end_ms: period.endMs,
    revision,
    status,
    billable_status: terms.charges && subtotal > 0n ? "billable" : "unbillable",
    issued_ms: Math.min(period.endMs + terms.graceMs, LAST_MS),
    frozen_ms: null,
    lines,
    subtotal_pico: String(subtotal),
    total_pico: String(sumOf(lines)),
  };
}

/** The credits of an account, including spent ones. */
async function readGrants(transaction: LedgerTransaction, account: string): Promise<GrantRow[]> {
  const range = IDBKeyRange.bound([account], [account, []]);
  const rows = await transaction.objectStore("grants").index("by_account").getAll(range);
  return rows.filter((row) => isValidRow("grants", row));
}

/** Closed invoices, by period and revision. */
export async function frozenInvoices(transaction: LedgerTransaction, account: string): Promise<InvoiceRow[]> {
  const rows = await transaction
    .objectStore("invoices")
    .index("by_account_period")
    .getAll(IDBKeyRange.bound([account], [account, []]));
  // The index orders by type first; sorting is cheap with one invoice a month.
  const valid = rows.filter((row) => isValidRow("invoices", row));
  return valid.sort((a, b) => a.period_start_ms - b.period_start_ms || a.revision - b.revision);
}
