/** Validates a page's request for a new key and maps it to row fields. */

import * as z from "zod/mini";
import { firstIssue } from "../../lazy/first-issue.ts";
import { picoFromUsd } from "../billing/money.ts";
import { parseTimestamp } from "../billing/timestamps.ts";
import { DEFAULT_ACCOUNT } from "../ledger/accounts.ts";
import { KeyError } from "./key-error.ts";
import type { KeyRow, LimitsRow } from "./schema.ts";

const MAX_GRACE_MS = 30 * 24 * 3_600_000;

const count = z.optional(z.int().check(z.minimum(1)));
const usd = z.optional(z.union([z.number(), z.string()]));

// Strict, unlike request bodies: a misspelt limit would be ignored.
const limitsSchema = z.strictObject({
  requestsPerMinute: count,
  tokensPerMinute: count,
  concurrentRequests: count,
  tokensPerDay: count,
  tokensPerMonth: count,
  usdPerDay: usd,
  usdPerMonth: usd,
});

const NAME_LENGTH = "expected 1 to 100 characters";

const requestSchema = z.strictObject({
  name: z.string().check(z.minLength(1, NAME_LENGTH), z.maxLength(100, NAME_LENGTH)),
  // Part of invoice ids, which are part of URL paths.
  account: z.optional(
    z.string().check(z.regex(/^[A-Za-z0-9_.-]{1,64}$/, "expected 1 to 64 letters, digits, '_', '.' or '-'")),
  ),
  models: z.optional(z.array(z.string().check(z.minLength(1)))),
  endpoints: z.optional(
    z.array(
      z.string().check(z.regex(/^\/v1(\/[a-z_]+)*$/, "expected a path such as '/v1/chat/completions'")),
    ),
  ),
  expiresAt: z.optional(z.string()),
  limits: z.optional(limitsSchema),
});

const rotationSchema = z.strictObject({
  graceMs: z.optional(z.int().check(z.minimum(0), z.maximum(MAX_GRACE_MS))),
});

type KeyTerms = Pick<KeyRow, "name" | "account" | "models" | "endpoints" | "limits" | "expires_ms">;

/** @throws {KeyError} `invalid_argument` that names the field */
export function toKeyTerms(request: unknown, nowMs: number): KeyTerms {
  const {
    name,
    account = DEFAULT_ACCOUNT,
    models,
    endpoints,
    expiresAt,
    limits,
  } = check(requestSchema, request);
  const expires_ms = expiresAt === undefined ? undefined : parseTimestamp(expiresAt);
  if (expiresAt !== undefined && (expires_ms === undefined || expires_ms <= nowMs)) {
    throw invalid("'expiresAt' must be an RFC 3339 timestamp in the future.");
  }
  return {
    name,
    account,
    limits: toLimits(limits ?? {}),
    ...(models ? { models } : {}),
    ...(endpoints ? { endpoints } : {}),
    ...(expires_ms === undefined ? {} : { expires_ms }),
  };
}

/** @throws {KeyError} `invalid_argument` */
export function toGraceMs(rotation: unknown): number {
  return check(rotationSchema, rotation ?? {}).graceMs ?? 0;
}

function toLimits(limits: z.output<typeof limitsSchema>): LimitsRow {
  const row: Record<keyof LimitsRow, number | string | undefined> = {
    requests_per_minute: limits.requestsPerMinute,
    tokens_per_minute: limits.tokensPerMinute,
    concurrent_requests: limits.concurrentRequests,
    tokens_per_day: limits.tokensPerDay,
    tokens_per_month: limits.tokensPerMonth,
    pico_per_day: toPico("usdPerDay", limits.usdPerDay),
    pico_per_month: toPico("usdPerMonth", limits.usdPerMonth),
  };
  return Object.fromEntries(Object.entries(row).filter(([, limit]) => limit !== undefined));
}

function toPico(field: string, amount: number | string | undefined): string | undefined {
  if (amount === undefined) return undefined;
  try {
    return String(picoFromUsd(amount));
  } catch (error) {
    throw invalid(`'limits.${field}': ${(error as RangeError).message}`);
  }
}

function check<T extends z.ZodMiniType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const { path, message } = firstIssue(schema, value)!;
  throw invalid(`'${path.join(".") || "request"}': ${message}.`);
}

function invalid(message: string): KeyError {
  return new KeyError("invalid_argument", message);
}
