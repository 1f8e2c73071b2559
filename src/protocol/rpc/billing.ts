/** Types of invoices on `/v1/billing`, and of the billing calls outside it. */

/** USD per million tokens, with at most six decimals. Strings are exact; numbers are converted with `String()`. */
export type UsdPerMillion = number | string;

/** Prices of one tier, 0 or more. An absent one is the serverless price; embeddings in batches then cost half. */
export interface TierPrices {
  /** Price of prompt tokens. */
  input?: UsdPerMillion;
  /** Price of prompt tokens served from the cache. Defaults to `input`. */
  cachedInput?: UsdPerMillion;
  /** Price of generated tokens, including reasoning. */
  output?: UsdPerMillion;
  /** Price of tokens of an embedding request. */
  embedding?: UsdPerMillion;
}

/** Serverless prices, with overrides for other tiers. Batch embeddings default to half price. */
export interface ModelPrices extends TierPrices {
  /** Prices of deployments. */
  dedicated?: TierPrices;
  /** Prices of `/v1/batches`. */
  batch?: TierPrices;
  /** Prices of requests forwarded by the `upstream` option. */
  upstream?: TierPrices;
}

/** Tier under which a request is metered; `upstream` means that another server responded. */
export type Tier = "serverless" | "dedicated" | "batch" | "upstream";

/** Prices by model id. */
export type PriceTable = Record<string, ModelPrices>;

/** Token prices: the defaults, none, or your own by model. */
export type Pricing = "default" | "none" | PriceTable;

/** `DRAFT` until the month is closed, then `FINALIZED`; `VOID` after `voidInvoice()`. */
export type InvoiceStatus = "DRAFT" | "FINALIZED" | "VOID";

/** One invoice line: a product of one model and tier. */
export interface LineItem {
  /** For people, for example `Text input tokens – infetch-tiny`. */
  name: string;
  /** Tokens; 1 for a credit. */
  quantity: number;
  /** USD. */
  total: number;
  /** USD per unit. */
  unit_price: number;
  /** Only `usage` and `applied_commit_or_credit` occur; the others are reserved. */
  type: "usage" | "subscription" | "scheduled" | "commit_purchase" | "applied_commit_or_credit";
  /** RFC 3339, inclusive. */
  starting_at: string;
  /** RFC 3339, exclusive. */
  ending_before: string;
  /** `tier`; for `dedicated` also `deployment_name` and `gpu_type`. */
  pricing_group_values: Record<string, string>;
  /** `model`; empty for a credit. */
  presentation_group_values: Record<string, string>;
  /** A product of {@link RateChange}, or `credit`. */
  product_id: string;
}

/** An invoice as returned by `/v1/billing/invoices`. Amounts are in USD. */
export interface Invoice {
  /** Unique over all accounts. */
  id: string;
  /** Where it is in its life. */
  status: InvoiceStatus;
  /** Only `USAGE` occurs; the others are reserved. */
  type: "USAGE" | "SCHEDULED" | "USAGE_CONSOLIDATED";
  /** USD, after credits. */
  total: number;
  /** USD, sum of all usage lines. */
  subtotal: number;
  /** Start of the UTC month, RFC 3339, inclusive. */
  start_timestamp: string;
  /** End of the UTC month, RFC 3339, exclusive. */
  end_timestamp: string;
  /** Usage by product, model and tier; then credits, which are negative. */
  line_items: LineItem[];
  /** RFC 3339; for a draft, when it is due. */
  issued_at: string;
  /** `unbillable` if no usage line has a price. */
  billable_status: "billable" | "unbillable";
}

/** The part of an invoice that falls in one time window. */
export interface Breakdown extends Invoice {
  /** RFC 3339, inclusive. */
  breakdown_start_timestamp: string;
  /** RFC 3339, exclusive. */
  breakdown_end_timestamp: string;
}

/** One settled request in the ledger. */
export interface UsageEvent {
  /** Unique id of the row; `runtime.billing.voidEvent()` takes it. */
  transactionId: string;
  /** `x-request-id` of the response. */
  requestId: string;
  /** Path, for example `/v1/chat/completions`. */
  endpoint: string;
  /** Selects the price. */
  tier: Tier;
  /** Model as named on invoices: its catalogue or hub id. */
  model: string;
  /** Prompt tokens, including cached ones. */
  inputTokens: number;
  /** `inputTokens` that were served from the KV cache. */
  cachedTokens: number;
  /** Generated tokens, including reasoning. */
  outputTokens: number;
  /** `outputTokens` used for reasoning. */
  reasoningTokens: number;
  /** `aborted` by the caller; `failed` with an error; `interrupted`: the page died while it read the response. */
  outcome: "completed" | "aborted" | "failed" | "interrupted";
  /** Billing time, RFC 3339. */
  time: string;
  /** Whether it was removed from its invoice. */
  voided: boolean;
}

/** Selects an account; defaults to the account of the page's own key. */
export interface OfAccount {
  /** @default "default" */
  account?: string;
}

/** A credit to grant: amount in USD and validity period. */
export interface CreditGrant extends OfAccount {
  /** More than 0, with at most twelve decimals. Strings are exact. */
  amountUsd: number | string;
  /** RFC 3339; not earlier than the current billing period. Defaults to now. */
  startsAt?: string;
  /** RFC 3339. Defaults to no expiry. */
  expiresAt?: string;
  /** Shown on the invoice. */
  note?: string;
}

/** A granted credit and its current balance. */
export interface Credit {
  /** Unique id: `credit_…`. */
  id: string;
  /** What was granted. */
  amountUsd: number;
  /** What no finalized or draft invoice has used yet. */
  remainingUsd: number;
  /** RFC 3339. */
  startsAt: string;
  /** RFC 3339; null if it does not expire. */
  expiresAt: string | null;
  /** As on the invoice; empty if none was given. */
  note: string;
}

/** A price that applies from a given time. A serverless embedding price also schedules half of it for batches. */
export interface RateChange {
  /** What the price is for. */
  product: "text-input-tokens" | "text-cached-input-tokens" | "text-output-tokens" | "embedding-input-tokens";
  /** Model as named on invoices. */
  model: string;
  /** @default "serverless" */
  tier?: Tier;
  /** USD per million tokens. */
  price: UsdPerMillion;
  /** RFC 3339, a full UTC hour that is not past and has no usage of the product. */
  effectiveAt: string;
  /** Stored with the price. @default none */
  note?: string;
}

/** Events as CloudEvents or in Metronome's format, windows as CSV, or the whole ledger as a backup. */
export type ExportFormat = "cloudevents" | "metronome" | "csv" | "backup";

/** Range and format of an export. */
export interface ExportRequest extends OfAccount {
  /** @default "cloudevents" */
  format?: ExportFormat;
  /** RFC 3339, inclusive, by billing time. Ignored by backups. */
  from?: string;
  /** RFC 3339, exclusive. Ignored by backups, which hold all accounts. */
  to?: string;
  /** Size of a CSV's rows: UTC days or hours, of which the first and the last end at the range's bounds. @default "hour" */
  windowSize?: "hour" | "day";
}

/** Row counts of an import. */
export interface ImportReport {
  /** Rows that were missing. */
  added: number;
  /** Identical rows that already exist. */
  duplicate: number;
  /** Rows whose key exists with other content; the existing row is kept. */
  conflict: number;
  /** Rows that would change a finalized period, or that derive from other rows. */
  refused: number;
}

/** Result of a consistency check of the ledger. */
export interface VerifyReport {
  /** Whether there are no differences. */
  ok: boolean;
  /**
   * Totals that differ from the sum of their events, and ids of missing invoices of closed months (expected 1, found
   * 0). `key` is that of the total or the id of the invoice. At most 100.
   */
  differences: { key: string; expected: number; found: number }[];
  /** Number of rows, over all accounts, quarantined because they cannot be billed; absent if none. */
  quarantined?: number;
}

/** Account, time range and number of events. */
export interface UsageRange extends OfAccount {
  /** RFC 3339, inclusive. */
  from?: string;
  /** RFC 3339, exclusive. */
  to?: string;
  /** Maximum number of events, a whole number or `Infinity`; the newest are returned. @default 1000 */
  limit?: number;
}
