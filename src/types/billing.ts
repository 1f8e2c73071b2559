/**
 * `infetch/billing`: types of `runtime.billing`, `runtime.usage`, the `billing` option and `/v1/billing`. There is
 * nothing to import at run time.
 *
 * @example
 * import type { Invoice } from "infetch/billing";
 *
 * @module
 */

import type {
  Credit,
  CreditGrant,
  ExportRequest,
  ImportReport,
  Invoice,
  OfAccount,
  RateChange,
  UsageEvent,
  UsageRange,
  VerifyReport,
} from "../protocol/rpc/billing.ts";

export type { BillingSettings } from "../options/option-groups.ts";
export type {
  Breakdown,
  Credit,
  CreditGrant,
  ExportFormat,
  ExportRequest,
  ImportReport,
  Invoice,
  InvoiceStatus,
  LineItem,
  ModelPrices,
  OfAccount,
  PriceTable,
  Pricing,
  RateChange,
  Tier,
  TierPrices,
  UsageEvent,
  UsageRange,
  UsdPerMillion,
  VerifyReport,
} from "../protocol/rpc/billing.ts";

/** Metered requests in the ledger. Calls reject as those of {@link Billing}. */
export interface Usage {
  /**
   * Lists settled requests by billing time, oldest first: the newest `limit` within the range. Rejects with
   * `invalid_argument`.
   */
  list(range?: UsageRange): Promise<UsageEvent[]>;
}

/**
 * Failed calls reject with a {@link BillingError}; see its `code`, which is `billing_not_configured` with `billing: false`. As
 * all calls of a runtime, they reject with {@link WorkerLostError} if the server dies, {@link RuntimeClosedError} once it is
 * closed, and {@link InfetchError} `part_unavailable` if a part of the server does not load. Invoice and request ids are unique across all
 * accounts; calls that take no id take an account.
 */
export interface Billing {
  /** Finalizes all ended months now, by the current clock, instead of in the background. Returns the new invoices. */
  closeDuePeriods(of?: OfAccount): Promise<Invoice[]>;
  /**
   * Voids a finalized invoice; lines and totals remain. The reason (empty by default) is kept in the ledger, and is part of
   * backups only. Rejects with `invalid_transition` or `invoice_not_found`.
   */
  voidInvoice(id: string, reason?: string): Promise<Invoice>;
  /** Issues the next revision of a voided invoice. Rejects with `invalid_transition` or `invoice_not_found`. */
  regenerateInvoice(id: string): Promise<Invoice>;
  /** Voids a request in the open period. Rejects with `invalid_transition` or `event_not_found`. */
  voidEvent(transactionId: string): Promise<UsageEvent>;
  /**
   * Grants a credit. Credits pay for future usage, earliest expiry first. Rejects with `invalid_argument`, also for an
   * unknown account.
   */
  grantCredit(grant: CreditGrant): Promise<Credit>;
  /** Lists an account's credits with their balances. */
  credits(of?: OfAccount): Promise<Credit[]>;
  /** Schedules a price; existing ones are never edited or deleted. Rejects with `invalid_rate` or `invalid_argument`. */
  scheduleRate(change: RateChange): Promise<void>;
  /**
   * Exports metered usage, or a backup of the whole ledger. Rejects with `invalid_argument`, also for a CSV whose range begins or
   * ends inside an hour of which only the sums are stored.
   */
  exportUsage(request?: ExportRequest): Promise<Blob>;
  /** Imports a backup: everything into a ledger without usage, else only the missing rows. Idempotent. Rejects with `invalid_argument`. */
  importUsage(backup: Blob | string): Promise<ImportReport>;
  /**
   * Compares the hourly totals with the events they derive from, and finds missing invoices of closed months. Rows that cannot
   * be billed are quarantined first.
   */
  verify(of?: OfAccount): Promise<VerifyReport>;
  /** Does what `verify()` does, then recomputes the totals and the missing invoices. Returns the differences found. */
  rebuild(of?: OfAccount): Promise<VerifyReport>;
}
