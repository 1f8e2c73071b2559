/** The ledger's database schema. Rows are the persisted format, so their fields keep its names. */

import type { DBSchema, StoreNames } from "idb";
import type {
  Invoice,
  InvoiceStatus,
  LineItem,
  RateChange,
  Tier,
  UsageEvent,
} from "../../../src/protocol/rpc/billing.ts";
import type { Migration as AnyMigration } from "../../storage/database.ts";
import type { Transaction } from "../../storage/transaction.ts";

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The end of a grant that never expires: the last instant a Date can hold. */
export const NEVER_MS = 8_640_000_000_000_000;

/** Last billable instant, the end of the last billing month: RFC 3339 years have four digits. */
export const LAST_MS = Date.UTC(9999, 11, 1);

export type Outcome = UsageEvent["outcome"];
export type ProductId = RateChange["product"];

/** `deployment_name` and `gpu_type` are `""` if absent, because null is not a valid key. */
interface Subject {
  account: string;
  endpoint: string;
  tier: Tier;
  model: string;
  deployment_name: string;
  gpu_type: string;
}

interface Request {
  transaction_id: string;
  /** How many servers had the request before: the last attempt replaces earlier ones. Absent: none. */
  attempt?: number;
}

interface Counts {
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  reasoning_tokens: number;
}

/** One settled request. */
export interface EventRow extends Request, Subject, Counts {
  request_id: string;
  outcome: Outcome;
  /** When it happened, by the wall clock at that time. */
  occurred_ms: number;
  /** Billing time: `occurred_ms`, but never inside a frozen period. */
  time_ms: number;
  recorded_ms: number;
  voided?: true;
}

/** A stream that has a checkpoint and is not settled. */
export interface InflightRow extends Request, Subject, Counts {
  owner_id: string;
  stream: boolean;
  started_ms: number;
  checkpoint_ms: number;
  phase: "admitted" | "delivering";
}

export interface RollupRow {
  account: string;
  hour_ms: number;
  product_id: ProductId;
  model: string;
  tier: Tier;
  deployment_name: string;
  gpu_type: string;
  quantity: number;
  event_count: number;
}

export interface RateRow {
  product_id: ProductId;
  model: string;
  tier: Tier;
  /** Start of the UTC hour from which the price applies. */
  effective_ms: number;
  /** Pico-USD (1e-12) per token, a decimal integer: BigInt is neither a valid key nor JSON. */
  unit_price_pico: string;
  note: string;
}

export interface LineRow {
  type: LineItem["type"];
  product_id: string;
  name: string;
  model: string;
  tier: string;
  deployment_name: string;
  gpu_type: string;
  quantity: number;
  unit_price_pico: string;
  total_pico: string;
  starting_ms: number;
  ending_ms: number;
  /** On `applied_commit_or_credit` lines: the grant used. */
  grant_id?: string;
}

/** An invoice. Only frozen invoices are stored; a draft has `frozen_ms: null` and is derived on read. */
export interface InvoiceRow {
  id: string;
  account: string;
  type: Invoice["type"];
  period_start_ms: number;
  period_end_ms: number;
  revision: number;
  status: InvoiceStatus;
  billable_status: Invoice["billable_status"];
  issued_ms: number;
  frozen_ms: number | null;
  lines: LineRow[];
  subtotal_pico: string;
  total_pico: string;
  regenerated_from?: string;
  voided_ms?: number;
  void_reason?: string;
}

export interface GrantRow {
  id: string;
  account: string;
  amount_pico: string;
  starts_ms: number;
  expires_ms: number;
  note: string;
}

export interface AccountRow {
  id: string;
  name: string;
  created_ms: number;
  billing: boolean;
}

/** `account:<id>`: end of the frozen periods, and first instant from which all events are kept. */
export interface AccountMeta {
  open_from_ms: number;
  events_from_ms: number;
}

/** `clock-trust`: how long the clock has run without jumps in one month. */
export interface ClockTrustMeta {
  period_start_ms: number;
  trusted_ms: number;
}

export interface LedgerSchema extends DBSchema {
  events: {
    key: string;
    value: EventRow;
    indexes: { by_account_time: [string, number]; by_recorded: number };
  };
  inflight: { key: string; value: InflightRow; indexes: { by_owner: string } };
  rollups: {
    key: [string, number, string, string, string, string, string];
    value: RollupRow;
  };
  rates: { key: [string, string, string, number]; value: RateRow };
  invoices: {
    key: string;
    value: InvoiceRow;
    indexes: { by_account_period: [string, string, number, number] };
  };
  grants: { key: string; value: GrantRow; indexes: { by_account: [string, number] } };
  accounts: { key: string; value: AccountRow };
  meta: { key: string; value: string | AccountMeta | ClockTrustMeta };
}

export type StoreName = StoreNames<LedgerSchema>;

export type LedgerTransaction = Transaction<LedgerSchema>;
export type Migration = AnyMigration<LedgerSchema>;

export const MIGRATIONS: readonly Migration[] = [
  ({ db }) => {
    const events = db.createObjectStore("events", { keyPath: "transaction_id" });
    events.createIndex("by_account_time", ["account", "time_ms"]);
    events.createIndex("by_recorded", "recorded_ms");
    const inflight = db.createObjectStore("inflight", { keyPath: "transaction_id" });
    inflight.createIndex("by_owner", "owner_id");
    db.createObjectStore("rollups", {
      keyPath: ["account", "hour_ms", "product_id", "model", "tier", "deployment_name", "gpu_type"],
    });
    db.createObjectStore("rates", { keyPath: ["product_id", "model", "tier", "effective_ms"] });
    const invoices = db.createObjectStore("invoices", { keyPath: "id" });
    invoices.createIndex("by_account_period", ["account", "type", "period_start_ms", "revision"], {
      unique: true,
    });
    const grants = db.createObjectStore("grants", { keyPath: "id" });
    grants.createIndex("by_account", ["account", "expires_ms"]);
    db.createObjectStore("accounts", { keyPath: "id" });
    db.createObjectStore("meta");
  },
];
