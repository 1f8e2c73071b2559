/** Stored rows of keys. They are the persisted format: fields keep their names. */

import type { DBSchema } from "idb";
import type { Migration } from "../../storage/database.ts";

/** A secret as stored. */
export interface HashedSecret {
  salt: string;
  /** Hexadecimal SHA-256 of `salt + secretKey`. */
  hash: string;
}

/** Absent limits do not apply. Money is a decimal integer of pico-USD. */
export interface LimitsRow {
  requests_per_minute?: number;
  tokens_per_minute?: number;
  concurrent_requests?: number;
  tokens_per_day?: number;
  tokens_per_month?: number;
  pico_per_day?: string;
  pico_per_month?: string;
}

export interface KeyRow extends HashedSecret {
  access_key: string;
  name: string;
  account: string;
  models?: string[];
  endpoints?: string[];
  limits: LimitsRow;
  created_ms: number;
  expires_ms?: number;
  /** The secret before the last rotation, while still valid. */
  previous?: HashedSecret & { until_ms: number };
}

/** Requests admitted within one second; they count for a minute from the last of them. */
export interface SlotRow {
  second: number;
  last_ms: number;
  requests: number;
  /** Reserved; corrected to actual usage when a request ends. */
  tokens: number;
}

/** A running request and what it may use. */
export interface ActiveRow {
  id: string;
  /** How many servers had the request before. @default 0 */
  attempt?: number;
  /** Web Lock that the worker serving it holds for its lifetime. */
  owner: string;
  second: number;
  /** All that it reserves. */
  tokens: number;
  /** The part of `tokens` that was reserved later than at `second`. */
  extended?: { second: number; tokens: number }[];
  /** False for lines of a batch, which have no concurrency limit. */
  is_counted: boolean;
}

/** An attempt of a request, by number. What earlier ones use counts no more. */
export interface AttemptRow {
  id: string;
  attempt: number;
}

/** Usage in one UTC day or month. */
export interface SpanRow {
  start_ms: number;
  /** Start of the last span, if the row stands for all spans from `start_ms` to there. */
  last_ms?: number;
  tokens: number;
  pico: string;
}

/** Usage of a key, counted against its limits. */
export interface UsageRow {
  access_key: string;
  slots: SlotRow[];
  active: ActiveRow[];
  day: SpanRow;
  month: SpanRow;
  /** A few days and months that the clock has shown besides the current ones. */
  other_days?: SpanRow[];
  other_months?: SpanRow[];
  last_used_ms?: number;
  /** The last attempts of the latest requests that were sent again. */
  last_attempts?: AttemptRow[];
}

export interface KeySchema extends DBSchema {
  keys: { key: string; value: KeyRow };
  usage: { key: string; value: UsageRow };
}

export const MIGRATIONS: readonly Migration<KeySchema>[] = [
  ({ db }) => {
    db.createObjectStore("keys", { keyPath: "access_key" });
    db.createObjectStore("usage", { keyPath: "access_key" });
  },
];
