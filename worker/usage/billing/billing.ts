/** The invoices of a ledger's accounts: reading, closing, voiding and re-issuing. */

import type { Clock } from "../../clock.ts";
import type { LedgerDatabase } from "../ledger/database.ts";
import { LedgerError } from "../ledger/ledger-error.ts";
import type { LedgerLocks } from "../ledger/locks.ts";
import { recoverOrphans } from "../ledger/recovery.ts";
import type { InvoiceRow } from "../ledger/schema.ts";
import { type ExportRange, readUsageWindows, type UsageWindow } from "./exports/usage-windows.ts";
import {
  type BreakdownPage,
  type BreakdownQuery,
  readBreakdown,
  type WindowSize,
} from "./invoices/breakdown.ts";
import { freezeOldest, invoiceNotFound, reissue, voidFrozen } from "./invoices/finalize.ts";
import {
  BILLING_STORES,
  type BillingState,
  type BillingTerms,
  type BillingView,
  readBillingState,
} from "./invoices/invoice.ts";

interface BillingOptions {
  database: LedgerDatabase;
  clock: Clock;
  locks: LedgerLocks;
  terms: BillingTerms;
  /** Called before an account is read: recovers what is lost, and closes what is due. */
  prepare(account: string): Promise<unknown>;
}

export class Billing {
  readonly #options: BillingOptions;

  constructor(options: BillingOptions) {
    this.#options = options;
  }

  /** Whether the account exists and is billed; undefined if the ledger is unavailable. */
  async isConfigured(account: string): Promise<boolean | undefined> {
    try {
      const row = await this.#options.database.read(["accounts"], (transaction) =>
        transaction.objectStore("accounts").get(account),
      );
      return row !== undefined && row.billing !== false;
    } catch (error) {
      if (error instanceof LedgerError) return undefined;
      throw error;
    }
  }

  /**
   * All invoices at one instant, by period and revision.
   *
   * @throws {LedgerError} `ledger_unavailable` or `ledger_blocked`
   */
  async state(account: string): Promise<BillingState> {
    await this.#options.prepare(account);
    return this.#read(account);
  }

  /** The draft of the current period, or undefined before its first usage. */
  async current(account: string): Promise<InvoiceRow | undefined> {
    const { invoices, nowMs } = await this.state(account);
    return invoices.find(
      (one) => one.status === "DRAFT" && one.period_start_ms <= nowMs && nowMs < one.period_end_ms,
    );
  }

  /** @throws {LedgerError} `ledger_unavailable` or `ledger_blocked` */
  async breakdown(account: string, query: BreakdownQuery): Promise<BreakdownPage> {
    const { database } = this.#options;
    await this.#options.prepare(account);
    return database.read(BILLING_STORES, (transaction) =>
      readBreakdown(transaction, this.#view(account), query),
    );
  }

  /** @throws {LedgerError} as {@link readUsageWindows} does, and `ledger_unavailable` or `ledger_blocked` */
  async usageWindows(account: string, windowSize: WindowSize, range: ExportRange): Promise<UsageWindow[]> {
    const { database } = this.#options;
    await this.#options.prepare(account);
    return database.read([...BILLING_STORES, "events"], (transaction) =>
      readUsageWindows(transaction, this.#view(account), { ...range, windowSize }),
    );
  }

  /** Recovers orphans, then freezes every due period, oldest first. Returns the newly frozen invoices. */
  async closeDuePeriods(account: string): Promise<InvoiceRow[]> {
    const { database, locks, clock } = this.#options;
    await recoverOrphans(database, locks, clock);
    const closed: InvoiceRow[] = [];
    while (true) {
      const invoice = await database.write(BILLING_STORES, (transaction) =>
        freezeOldest(transaction, this.#view(account)),
      );
      if (!invoice) return closed;
      closed.push(invoice);
    }
  }

  /** @throws {LedgerError} `invoice_not_found` or `invalid_transition` */
  async voidInvoice(account: string, id: string, reason: string): Promise<InvoiceRow> {
    const { database } = this.#options;
    await this.closeDuePeriods(account);
    return database.write(BILLING_STORES, async (transaction) => {
      const { invoices, nowMs } = await readBillingState(transaction, this.#view(account));
      const invoice = invoices.find((one) => one.id === id);
      if (!invoice) throw invoiceNotFound(id);
      return voidFrozen(transaction, invoice, nowMs, reason);
    });
  }

  /** @throws {LedgerError} `invoice_not_found` or `invalid_transition` */
  async regenerateInvoice(account: string, id: string): Promise<InvoiceRow> {
    const { database } = this.#options;
    await this.closeDuePeriods(account);
    return database.write(BILLING_STORES, (transaction) => reissue(transaction, this.#view(account), id));
  }

  #read(account: string): Promise<BillingState> {
    return this.#options.database.read(BILLING_STORES, (transaction) =>
      readBillingState(transaction, this.#view(account)),
    );
  }

  #view(account: string): BillingView {
    const { clock, terms } = this.#options;
    return { account, clockMs: clock.now(), terms };
  }
}
