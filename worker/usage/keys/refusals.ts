/** Which limit of a key refuses a request, and for how long. Pure. */

import { type Measure, usedOf, waitMsFor } from "./minute-window.ts";
import type { LimitsRow, UsageRow } from "./schema.ts";
import { type SpanName, spanEnd } from "./spans.ts";

/** What a request needs. */
export interface Demand {
  /** The request id. */
  id: string;
  /** How many servers had the request before. @default 0 */
  attempt?: number;
  owner: string;
  /** Maximum tokens, estimated from the body. 0 for requests that use none, such as listings. */
  tokens: number;
  /** Whether it uses tokens; if not, a used-up quota does not refuse it. */
  isMetered: boolean;
  /** A line of a batch: quotas apply, per-minute and concurrency limits do not. */
  isBatch: boolean;
}

export interface Refusal {
  reason: Measure | "concurrency" | "quota";
  limit: string;
  used: string;
  requested: string;
  /** The span of a quota. */
  span?: SpanName;
  /** Estimated time until the same request fits; Infinity: never. */
  waitMs: number;
}

/** The per-minute limit that refuses the request, with the time until it fits. */
export function refusedByRate(
  { slots }: UsageRow,
  limits: LimitsRow,
  demand: Demand,
  nowMs: number,
): Refusal | undefined {
  const refusalBy = (reason: Measure, limit: number | undefined, wanted: number): Refusal | undefined => {
    if (limit === undefined || wanted === 0) return undefined;
    const waitMs = waitMsFor(slots, nowMs, reason, { limit, wanted });
    if (waitMs === 0) return undefined;
    return { reason, waitMs, ...texts(limit, usedOf(slots, reason), wanted) };
  };
  return (
    refusalBy("requests", limits.requests_per_minute, 1) ??
    refusalBy("tokens", limits.tokens_per_minute, demand.tokens)
  );
}

/** It is unknown when a running request ends: retry in a second. */
const CONCURRENCY_WAIT_MS = 1000;

/** The limit of running requests, if it refuses another one. */
export function refusedByConcurrency({ active }: UsageRow, limits: LimitsRow): Refusal | undefined {
  const running = active.filter((one) => one.is_counted).length;
  const limit = limits.concurrent_requests;
  if (limit === undefined || running < limit) return undefined;
  return { reason: "concurrency", waitMs: CONCURRENCY_WAIT_MS, ...texts(limit, running, 1) };
}

const SPANS = ["day", "month"] as const;

/** The quota of the day or the month that refuses the request. */
export function refusedByQuota(
  row: UsageRow,
  limits: LimitsRow,
  demand: Demand,
  nowMs: number,
): Refusal | undefined {
  // A used-up quota refuses even a request whose body allows zero tokens.
  return (
    refusedByTokens(row, limits, Math.max(1, demand.tokens), nowMs) ?? refusedByMoney(row, limits, nowMs)
  );
}

/** Used, reserved and wanted tokens must fit together. */
export function refusedByTokens(
  row: UsageRow,
  limits: LimitsRow,
  wanted: number,
  nowMs: number,
): Refusal | undefined {
  const reserved = row.active.reduce((sum, one) => sum + one.tokens, 0);
  for (const span of SPANS) {
    const limit = limits[`tokens_per_${span}`];
    const used = row[span].tokens + reserved;
    if (limit === undefined || used + wanted <= limit) continue;
    const waitMs = spanEnd(span, nowMs) - nowMs;
    return { reason: "quota", span, waitMs, ...texts(limit, used, wanted, " tokens") };
  }
  return undefined;
}

/** Cost is known only afterwards, so running requests may exceed a money quota. */
function refusedByMoney(row: UsageRow, limits: LimitsRow, nowMs: number): Refusal | undefined {
  for (const span of SPANS) {
    const limit = limits[`pico_per_${span}`];
    const spent = row[span].pico;
    if (limit === undefined || BigInt(spent) < BigInt(limit)) continue;
    const waitMs = spanEnd(span, nowMs) - nowMs;
    return {
      reason: "quota",
      span,
      waitMs,
      limit: usdText(limit),
      used: usdText(spent),
      requested: "more",
    };
  }
  return undefined;
}

function texts(limit: number, used: number, requested: number, unit = "") {
  return { limit: `${limit}${unit}`, used: `${used}${unit}`, requested: `${requested}${unit}` };
}

function usdText(pico: string): string {
  return `${Number(pico) / 1e12} USD`;
}
