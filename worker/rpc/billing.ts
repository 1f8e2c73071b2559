/** `runtime.billing`: billing calls reserved to the page. Errors are returned as data. */

import type {
  Credit,
  CreditGrant,
  ExportRequest,
  RateChange,
  UsageRange,
} from "../../src/protocol/rpc/billing.ts";
import type { BillingEndpoint } from "../../src/protocol/rpc/billing-endpoint.ts";
import type { Clock } from "../clock.ts";
import type { Billing } from "../usage/billing/billing.ts";
import type { CreditBalance } from "../usage/billing/credits.ts";
import { exportCsv, exportEvents } from "../usage/billing/exports/export-usage.ts";
import { MAX_WINDOWS } from "../usage/billing/invoices/breakdown.ts";
import { BILLING_STORES, type BillingTerms, readBillingState } from "../usage/billing/invoices/invoice.ts";
import { missingInvoices, restoreInvoices } from "../usage/billing/invoices/missing-invoices.ts";
import { accountOfInvoice, periodOf, statusOf } from "../usage/billing/invoices/periods.ts";
import { picoFromUsd, picoToUsd, pricePerToken } from "../usage/billing/money.ts";
import { scheduleRate } from "../usage/billing/prices/schedule-rate.ts";
import { toInvoice, toUsageEvent } from "../usage/billing/serialize.ts";
import { formatTimestamp } from "../usage/billing/timestamps.ts";
import { DEFAULT_ACCOUNT } from "../usage/ledger/accounts.ts";
import { exportBackup, importBackup } from "../usage/ledger/backup.ts";
import type { LedgerDatabase } from "../usage/ledger/database.ts";
import { LedgerError } from "../usage/ledger/ledger-error.ts";
import { hourOf, PRODUCT_IDS, TIERS } from "../usage/ledger/products.ts";
import { countQuarantined } from "../usage/ledger/quarantine.ts";
import { quarantineInvalid } from "../usage/ledger/quarantine-invalid.ts";
import { isValidRow } from "../usage/ledger/row-schemas.ts";
import { type GrantRow, LAST_MS, NEVER_MS, type RateRow } from "../usage/ledger/schema.ts";
import { type RollupDifference, rebuildRollups, verifyRollups } from "../usage/ledger/verify.ts";
import { voidEvent } from "../usage/ledger/void-event.ts";
import {
  accountOf,
  instant,
  invalid,
  rangeOf,
  requireLimit,
  requireObject,
  requireOneOf,
  requireText,
} from "./billing-arguments.ts";
import { resultsWith } from "./result.ts";

const asResult = resultsWith("BillingError", (error) => {
  if (error instanceof LedgerError) return error;
  if (error instanceof RangeError) return { code: "invalid_argument", message: error.message };
  return {
    code: "internal_error",
    message: "The billing call failed: this is a bug in infetch, please report it.",
  };
});

interface PageBillingServices {
  database: LedgerDatabase;
  clock: Clock;
  billing: Billing;
  terms: BillingTerms;
}

const SHOWN_DIFFERENCES = 100;

/** The last month that can be billed. */
const LAST_MONTH = formatTimestamp(LAST_MS).slice(0, 7);

/** Calls apply to the given account, by default that of the page's own key. */
export function billingRpc(services: PageBillingServices): BillingEndpoint {
  const { database, clock, billing, terms } = services;
  return {
    usage: (range = {}) => asResult(() => usage(database, range)),
    closeDuePeriods: (of) =>
      asResult(async () => (await billing.closeDuePeriods(accountOf(of))).map((row) => toInvoice(row))),
    voidInvoice: (id, reason = "") =>
      asResult(async () => {
        requireText("reason", reason);
        return toInvoice(await billing.voidInvoice(ownerOf(id), id, reason));
      }),
    regenerateInvoice: (id) =>
      asResult(async () => toInvoice(await billing.regenerateInvoice(ownerOf(id), id))),
    voidEvent: (transactionId) =>
      asResult(async () => {
        const isOpen = (timeMs: number) => statusOf(periodOf(timeMs), clock.now(), terms.graceMs) === "DRAFT";
        return toUsageEvent(await voidEvent(database, transactionId, isOpen));
      }),
    grantCredit: (grant) => asResult(() => grantCredit(services, grant)),
    credits: (of) =>
      asResult(async () => {
        // One instant: a grant made between two reads would have no balance.
        const { grants, credits } = await billing.state(accountOf(of));
        return grants.map((row) => toCredit(row, credits));
      }),
    scheduleRate: (change) => asResult(() => schedule(services, change)),
    exportUsage: (request = {}) => asResult(() => exportUsage(services, request)),
    importUsage: (backup) =>
      asResult(async () => {
        if (typeof backup === "string") return importBackup(database, backup, clock.now());
        if (!(backup instanceof Blob))
          throw invalid(
            "The backup must be a string or a Blob, as exportUsage({ format: 'backup' }) returns it.",
          );
        return importBackup(database, await backup.text(), clock.now());
      }),
    verify: (of) => asResult(() => report(services, accountOf(of), verifyRollups, missingInvoices)),
    rebuild: (of) => asResult(() => report(services, accountOf(of), rebuildRollups, restoreInvoices)),
  };
}

/** The account of an invoice id, whether or not the invoice exists. */
function ownerOf(invoiceId: string): string {
  return accountOfInvoice(invoiceId) ?? DEFAULT_ACCOUNT;
}

async function usage(database: LedgerDatabase, request: UsageRange) {
  const { from, to, limit = 1000, ...of } = requireObject(request);
  const { fromMs, toMs } = rangeOf(from, to);
  const account = accountOf(of);
  requireLimit(limit);
  if (fromMs === toMs) return [];
  return database.read(["events"], async (transaction) => {
    const index = transaction.objectStore("events").index("by_account_time");
    const range = IDBKeyRange.bound([account, fromMs], [account, toMs], false, true);
    const rows = [];
    for (
      let at = await index.openCursor(range, "prev");
      at && rows.length < limit;
      at = await at.continue()
    ) {
      if (isValidRow("events", at.value)) rows.push(at.value);
    }
    return rows.reverse().map(toUsageEvent);
  });
}

async function grantCredit(services: PageBillingServices, grant: CreditGrant) {
  const { database, clock, billing, terms } = services;
  const account = accountOf(requireObject(grant));
  if ((await billing.isConfigured(account)) === false)
    throw invalid(`The account '${account}' does not exist.`);
  const { nowMs } = await billing.state(account);
  const starts_ms = grant.startsAt === undefined ? nowMs : instant(grant.startsAt, "startsAt");
  const expires_ms = grant.expiresAt === undefined ? NEVER_MS : instant(grant.expiresAt, "expiresAt");
  const amount = picoFromUsd(grant.amountUsd);
  if (amount === 0n) throw invalid("'amountUsd' must be greater than 0.");
  if (expires_ms <= starts_ms) throw invalid("'expiresAt' must be later than 'startsAt'.");
  // A credit in a past month would make its invoice depend on when the period is closed.
  if (starts_ms < periodOf(nowMs).startMs) throw invalid("'startsAt' is before the current billing period.");
  const note = grant.note ?? "";
  requireText("note", note);
  const row: GrantRow = {
    id: clock.id("credit_"),
    account,
    amount_pico: String(amount),
    starts_ms,
    expires_ms,
    note,
  };
  if (!isValidRow("grants", row)) throw invalid(`'startsAt' must be before ${LAST_MONTH}.`);
  return database.write(BILLING_STORES, async (transaction) => {
    await transaction.objectStore("grants").put(row);
    // Drafts use it at once.
    const { credits } = await readBillingState(transaction, { account, clockMs: clock.now(), terms });
    return toCredit(row, credits);
  });
}

async function schedule({ database, clock, terms }: PageBillingServices, change: RateChange) {
  requireOneOf("product", requireObject(change).product, PRODUCT_IDS);
  requireOneOf("tier", change.tier ?? "serverless", TIERS);
  const { model } = change;
  const note = change.note ?? "";
  requireText("model", model);
  requireText("note", note);
  const row: RateRow = {
    product_id: change.product,
    model,
    tier: change.tier ?? "serverless",
    effective_ms: instant(change.effectiveAt, "effectiveAt"),
    unit_price_pico: String(pricePerToken(change.price)),
    note,
  };
  if (!isValidRow("rates", { ...row, effective_ms: hourOf(row.effective_ms) }))
    throw invalid(`'effectiveAt' must be before ${LAST_MONTH}.`);
  const stores = ["rates", "rollups", "accounts"] as const;
  await database.write(stores, (transaction) => scheduleRate(transaction, row, clock.now(), terms.aliases));
}

async function exportUsage(
  { database, billing }: PageBillingServices,
  request: ExportRequest,
): Promise<Blob> {
  const { format = "cloudevents", from, to, windowSize = "hour", ...of } = requireObject(request);
  const account = accountOf(of);
  const range = rangeOf(from, to);
  requireOneOf("windowSize", windowSize, Object.keys(MAX_WINDOWS));
  if (format === "backup") return new Blob(await exportBackup(database), { type: "application/jsonl" });
  if (format === "csv") {
    return new Blob(await exportCsv(billing, account, windowSize, range), { type: "text/csv;charset=utf-8" });
  }
  if (format !== "cloudevents" && format !== "metronome")
    throw invalid("'format' must be cloudevents, metronome, csv or backup.");
  const pieces = await exportEvents(database, account, format, range);
  return new Blob(pieces, { type: "application/jsonl" });
}

function toCredit(row: GrantRow, balance: CreditBalance): Credit {
  return {
    id: row.id,
    amountUsd: picoToUsd(BigInt(row.amount_pico)),
    remainingUsd: picoToUsd(balance.left(row.id)),
    startsAt: formatTimestamp(row.starts_ms),
    expiresAt: row.expires_ms === NEVER_MS ? null : formatTimestamp(row.expires_ms),
    note: row.note,
  };
}

/** Quarantines invalid rows first, so that their missing usage is reported as a difference. */
async function report(
  { database, clock, terms }: PageBillingServices,
  account: string,
  differencesOf: (database: LedgerDatabase, account: string) => Promise<RollupDifference[]>,
  lostInvoices: typeof missingInvoices,
) {
  await quarantineInvalid(database, { withEvents: true });
  const rollups = await differencesOf(database, account);
  const invoices = await lostInvoices(database, { account, clockMs: clock.now(), terms });
  const found = [...rollups, ...invoices.map((key) => ({ key, expected: 1, found: 0 }))];
  const quarantined = await database.read(["meta"], countQuarantined);
  return {
    ok: found.length === 0,
    differences: found.slice(0, SHOWN_DIFFERENCES),
    ...(quarantined ? { quarantined } : {}),
  };
}
