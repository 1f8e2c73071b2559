/** What a row of a backup must look like: a file from outside may hold anything. */

import * as z from "zod/mini";
import { PRODUCT_IDS } from "./products.ts";
import { HOUR_MS, type StoreName } from "./schema.ts";

const count = z.int().check(z.minimum(0));
const instant = z.int().check(z.minimum(0), z.maximum(8_640_000_000_000_000));
const hour = instant.check(z.refine((timeMs) => timeMs % HOUR_MS === 0));
const pico = z.string().check(z.regex(/^-?\d+$/));
const tier = z.enum(["serverless", "dedicated", "batch", "upstream"]);
const product = z.enum(PRODUCT_IDS);
const key = z.string().check(z.minLength(1));

const event = z
  .object({
    transaction_id: key,
    request_id: z.string(),
    account: key,
    endpoint: z.string(),
    tier,
    model: z.string(),
    deployment_name: z.string(),
    gpu_type: z.string(),
    input_tokens: count,
    cached_tokens: count,
    output_tokens: count,
    reasoning_tokens: count,
    outcome: z.enum(["completed", "aborted", "failed", "interrupted"]),
    occurred_ms: instant,
    time_ms: instant,
    recorded_ms: instant,
    voided: z.optional(z.literal(true)),
  })
  .check(z.refine((row) => row.cached_tokens <= row.input_tokens));

const line = z.object({
  type: z.enum(["usage", "subscription", "scheduled", "commit_purchase", "applied_commit_or_credit"]),
  product_id: z.string(),
  name: z.string(),
  model: z.string(),
  tier: z.string(),
  deployment_name: z.string(),
  gpu_type: z.string(),
  quantity: count,
  unit_price_pico: pico,
  total_pico: pico,
  starting_ms: instant,
  ending_ms: instant,
  grant_id: z.optional(z.string()),
});

const accountMeta = z.object({ open_from_ms: instant, events_from_ms: instant });
const clockTrust = z.object({ period_start_ms: instant, trusted_ms: z.number().check(z.minimum(0)) });

/** The stores of a backup, in the order in which it lists them, with the form of their rows. */
export const BACKUP_ROWS = {
  accounts: z.object({ id: key, name: z.string(), created_ms: instant, billing: z.boolean() }),
  rates: z.object({
    product_id: product,
    model: z.string(),
    tier,
    effective_ms: hour,
    unit_price_pico: z.string().check(z.regex(/^\d+$/)),
    note: z.string(),
  }),
  grants: z.object({
    id: key,
    account: key,
    amount_pico: z.string().check(z.regex(/^\d+$/)),
    starts_ms: instant,
    expires_ms: instant,
    note: z.string(),
  }),
  invoices: z.object({
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
  }),
  meta: z.union([z.string(), accountMeta, clockTrust]),
  rollups: z.object({
    account: key,
    hour_ms: hour,
    product_id: product,
    model: z.string(),
    tier,
    deployment_name: z.string(),
    gpu_type: z.string(),
    quantity: count,
    event_count: z.int().check(z.minimum(1)),
  }),
  events: event,
} satisfies Partial<Record<StoreName, z.ZodMiniType>>;

export type BackedUpStore = keyof typeof BACKUP_ROWS;
