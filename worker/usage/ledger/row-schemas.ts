/** Schemas of the ledger's rows: IndexedDB and imported backups may hold anything. */

import * as z from "zod/mini";
import { isObject } from "../../../src/shared/is-object.ts";
import type { RowSchema } from "../../storage/row-schema.ts";
import { PRODUCT_IDS, TIERS } from "./products.ts";
import {
  type AccountMeta,
  type AccountRow,
  type ClockTrustMeta,
  type EventRow,
  type GrantRow,
  HOUR_MS,
  type InflightRow,
  type InvoiceRow,
  LAST_MS,
  type LineRow,
  NEVER_MS,
  type RateRow,
  type StoreName,
} from "./schema.ts";

export const count = z.int().check(z.minimum(0));
/** More than any request or hour uses; sums stay exact. */
const tokens = z.int().check(z.minimum(0), z.maximum(1_000_000_000_000));
const MAX_SUM = 1_000_000_000_000_000;
export const instant = z.int().check(z.minimum(0), z.maximum(LAST_MS));
const hour = instant.check(z.refine((timeMs) => timeMs % HOUR_MS === 0));
/** Prices and amounts have at most 27 digits (`money.ts`); a total is a price times many tokens. */
const price = z.string().check(z.regex(/^\d{1,30}$/));
const pico = z.string().check(z.regex(/^-?\d{1,60}$/));
const tier = z.enum(TIERS);
const product = z.enum(PRODUCT_IDS);
const key = z.string().check(z.minLength(1));

const usage = {
  transaction_id: key,
  attempt: z.optional(count),
  account: key,
  endpoint: z.string(),
  tier,
  model: z.string(),
  deployment_name: z.string(),
  gpu_type: z.string(),
  input_tokens: tokens,
  cached_tokens: tokens,
  output_tokens: tokens,
  reasoning_tokens: tokens,
};

/** A running stream; not part of a backup. */
const inflight = z
  .object({
    ...usage,
    owner_id: z.string(),
    stream: z.boolean(),
    started_ms: instant,
    checkpoint_ms: instant,
    phase: z.enum(["admitted", "delivering"]),
  })
  .check(z.refine((row) => row.cached_tokens <= row.input_tokens)) satisfies RowSchema<InflightRow>;

const event = z
  .object({
    ...usage,
    request_id: z.string(),
    outcome: z.enum(["completed", "aborted", "failed", "interrupted"]),
    occurred_ms: instant,
    time_ms: instant,
    recorded_ms: instant,
    voided: z.optional(z.literal(true)),
  })
  .check(z.refine((row) => row.cached_tokens <= row.input_tokens)) satisfies RowSchema<EventRow>;

const line = z.object({
  type: z.enum(["usage", "subscription", "scheduled", "commit_purchase", "applied_commit_or_credit"]),
  product_id: z.string(),
  name: z.string(),
  model: z.string(),
  tier: z.string(),
  deployment_name: z.string(),
  gpu_type: z.string(),
  // A sum of roll-ups, which may exceed the largest safe integer.
  quantity: z.number().check(z.minimum(0), z.refine(Number.isInteger)),
  unit_price_pico: pico,
  total_pico: pico,
  starting_ms: instant,
  ending_ms: instant,
  grant_id: z.optional(z.string()),
}) satisfies RowSchema<LineRow>;

const installId = z.string().check(z.minLength(1));
const accountMeta = z.object({
  open_from_ms: instant,
  events_from_ms: instant,
}) satisfies RowSchema<AccountMeta>;
const clockTrust = z.object({
  period_start_ms: instant,
  trusted_ms: z.number().check(z.minimum(0)),
}) satisfies RowSchema<ClockTrustMeta>;

const invoice = z
  .object({
    id: key,
    account: key,
    type: z.enum(["USAGE", "SCHEDULED", "USAGE_CONSOLIDATED"]),
    period_start_ms: hour,
    period_end_ms: hour,
    revision: count,
    status: z.enum(["FINALIZED", "VOID"]),
    billable_status: z.enum(["billable", "unbillable"]),
    issued_ms: instant,
    frozen_ms: instant,
    lines: z.array(line),
    subtotal_pico: pico,
    total_pico: pico,
    regenerated_from: z.optional(z.string()),
    voided_ms: z.optional(instant),
    void_reason: z.optional(z.string()),
  })
  .check(z.refine((row) => isMonth(row.period_start_ms, row.period_end_ms))) satisfies RowSchema<InvoiceRow>;

/** The stores of a backup, in file order, with their row schemas. */
const BACKUP_ROWS = {
  accounts: z.object({
    id: key,
    name: z.string(),
    created_ms: instant,
    billing: z.boolean(),
  }) satisfies RowSchema<AccountRow>,
  rates: z.object({
    product_id: product,
    model: z.string(),
    tier,
    effective_ms: hour,
    unit_price_pico: price,
    note: z.string(),
  }) satisfies RowSchema<RateRow>,
  grants: z.object({
    id: key,
    account: key,
    amount_pico: price,
    starts_ms: instant,
    expires_ms: z.int().check(z.minimum(0), z.maximum(NEVER_MS)),
    note: z.string(),
  }) satisfies RowSchema<GrantRow>,
  invoices: invoice,
  meta: z.union([installId, accountMeta, clockTrust]),
  rollups: z.custom(isRollup),
  events: event,
} satisfies Partial<Record<StoreName, z.ZodMiniType>>;

export type BackedUpStore = keyof typeof BACKUP_ROWS;

/** In-flight rows belong to running workers and are not backed up. */
export const BACKED_UP = Object.keys(BACKUP_ROWS) as BackedUpStore[];

/** Schema of a store's rows, for `meta` by key; undefined for unknown keys. */
export function schemaOf(store: StoreName, key?: IDBValidKey): z.ZodMiniType | undefined {
  if (store === "inflight") return inflight;
  if (store !== "meta") return BACKUP_ROWS[store];
  if (key === "install_id") return installId;
  if (key === "clock-trust") return clockTrust;
  return typeof key === "string" && key.startsWith("account:") ? accountMeta : undefined;
}

/** Whether a row can be billed. Unknown keys of `meta` are always valid. */
export function isValidRow(store: StoreName, row: unknown, key?: IDBValidKey): boolean {
  if (store === "rollups") return isRollup(row);
  return schemaOf(store, key)?.safeParse(row).success ?? true;
}

/** Many times faster than a schema; an invoice reads thousands of roll-ups. */
function isRollup(row: unknown): boolean {
  if (!isObject(row)) return false;
  const { account, hour_ms, product_id, quantity, event_count } = row;
  const { tier, model, deployment_name, gpu_type } = row;
  return (
    typeof account === "string" &&
    account !== "" &&
    isWhole(hour_ms, 0, LAST_MS) &&
    (hour_ms as number) % HOUR_MS === 0 &&
    (PRODUCT_IDS as readonly unknown[]).includes(product_id) &&
    (TIERS as readonly unknown[]).includes(tier) &&
    typeof model === "string" &&
    typeof deployment_name === "string" &&
    typeof gpu_type === "string" &&
    isWhole(quantity, 0, MAX_SUM) &&
    isWhole(event_count, 1, MAX_SUM)
  );
}

function isWhole(value: unknown, min: number, max: number): boolean {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
}

function isMonth(startMs: number, endMs: number): boolean {
  const start = new Date(startMs);
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth()];
  return startMs === Date.UTC(year, month, 1) && endMs === Date.UTC(year, month + 1, 1);
}
