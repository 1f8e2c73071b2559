/** Schemas of stored keys and their usage: IndexedDB may hold anything. */

import * as z from "zod/mini";
import type { RowSchema } from "../../storage/row-schema.ts";
import { count, instant } from "../ledger/row-schemas.ts";
import { NEVER_MS } from "../ledger/schema.ts";
import { newUsage } from "./admission.ts";
import type { KeyRow, LimitsRow, SpanRow, UsageRow } from "./schema.ts";

const amount = z.number().check(z.minimum(0));
const pico = z.string().check(z.regex(/^\d{1,60}$/));
const limit = z.optional(z.int().check(z.minimum(1)));

const secret = { salt: z.string(), hash: z.string() };

export const limitsSchema = z.object({
  requests_per_minute: limit,
  tokens_per_minute: limit,
  concurrent_requests: limit,
  tokens_per_day: limit,
  tokens_per_month: limit,
  pico_per_day: z.optional(pico),
  pico_per_month: z.optional(pico),
}) satisfies RowSchema<LimitsRow>;

/** A key's permissions. */
export const scopeFields = {
  models: z.optional(z.array(z.string())),
  endpoints: z.optional(z.array(z.string())),
};

const key = z.object({
  ...secret,
  ...scopeFields,
  access_key: z.string(),
  name: z.string(),
  account: z.string().check(z.minLength(1)),
  limits: limitsSchema,
  created_ms: instant,
  // Later than the ledger counts: "9999-12-31T23:59:59Z" is a common way to say never.
  expires_ms: z.optional(count.check(z.maximum(NEVER_MS))),
  previous: z.optional(z.object({ ...secret, until_ms: z.number() })),
}) satisfies RowSchema<KeyRow>;

const slot = z.object({ second: z.int(), last_ms: z.number(), requests: amount, tokens: amount });
const active = z.object({
  id: z.string(),
  attempt: z.optional(z.int()),
  owner: z.string(),
  second: z.int(),
  tokens: amount,
  extended: z.optional(z.array(z.object({ second: z.int(), tokens: amount }))),
  is_counted: z.boolean(),
});
const lastAttempt = z.object({ id: z.string(), attempt: z.int() });
const span = z.object({ start_ms: z.int(), last_ms: z.optional(z.int()), tokens: amount, pico });
const usage = z.object({
  access_key: z.string(),
  slots: z.array(slot),
  active: z.array(active),
  day: span,
  month: span,
  other_days: z.optional(z.array(span)),
  other_months: z.optional(z.array(span)),
  last_used_ms: z.optional(instant),
  last_attempts: z.optional(z.array(lastAttempt)),
}) satisfies RowSchema<UsageRow>;

/** Whether a stored key can be used. An invalid one is passed over, as if it did not exist. */
export function isValidKey(row: unknown): row is KeyRow {
  return key.safeParse(row).success;
}

/** A key's stored usage. Of a corrupt row, what is valid stays; the rest starts over. */
export function validUsage(row: unknown, accessKey: string): UsageRow {
  if (row === undefined) return newUsage(accessKey);
  if (usage.safeParse(row).success) return row as UsageRow;
  const stored: Partial<Record<keyof UsageRow, unknown>> = Object(row);
  const none = newUsage(accessKey);
  return {
    ...none,
    slots: validOf(slot, stored.slots),
    active: validOf(active, stored.active),
    day: validSpan(none.day, stored.day),
    month: validSpan(none.month, stored.month),
    other_days: validOf(span, stored.other_days),
    other_months: validOf(span, stored.other_months),
    last_attempts: validOf(lastAttempt, stored.last_attempts),
    ...(instant.safeParse(stored.last_used_ms).success
      ? { last_used_ms: stored.last_used_ms as number }
      : {}),
  };
}

function validOf<Row>(schema: z.ZodMiniType, rows: unknown): Row[] {
  return Array.isArray(rows) ? rows.filter((row) => schema.safeParse(row).success) : [];
}

/** Keeps each valid field: a corrupt amount of money frees no quota of tokens. */
function validSpan(none: SpanRow, stored: unknown): SpanRow {
  let valid = none;
  for (const field of ["start_ms", "last_ms", "tokens", "pico"] as const) {
    const value = Object(stored)[field];
    const next = { ...valid, [field]: value };
    if (value !== undefined && span.safeParse(next).success) valid = next;
  }
  return valid;
}
