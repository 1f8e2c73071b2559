/** Checks requests against the limits of their key and updates its usage. Pure: state in, state out. */

import { isLater } from "../ledger/charged.ts";
import {
  addToSlots,
  correctTokens,
  countingSlots,
  type Measure,
  resetMsOf,
  secondOf,
  takeFromSlots,
  usedOf,
} from "./minute-window.ts";
import {
  type Demand,
  type Refusal,
  refusedByConcurrency,
  refusedByQuota,
  refusedByRate,
  refusedByTokens,
} from "./refusals.ts";
import type { ActiveRow, AttemptRow, LimitsRow, UsageRow } from "./schema.ts";
import { addToSpan, changeSpans, currentSpans, subtractFromSpan } from "./spans.ts";

/** Requests are sent again within minutes. */
const MAX_ATTEMPTS_KEPT = 32;

/** State of one per-minute limit. */
interface RateState {
  limit: number;
  remaining: number;
  resetMs: number;
}

export type RateStates = Partial<Record<Measure, RateState>>;

export interface Verdict {
  /** The state afterwards; a refused request is not counted. */
  row: UsageRow;
  rates: RateStates;
  refusal?: Refusal;
}

export function newUsage(accessKey: string): UsageRow {
  const none = { start_ms: 0, tokens: 0, pico: "0" };
  return { access_key: accessKey, slots: [], active: [], day: none, month: none };
}

/** Admits a request or returns the limit that refuses it: quotas first, as waiting a minute does not help. */
export function admit(usage: UsageRow, limits: LimitsRow, demand: Demand, nowMs: number): Verdict {
  const row = atTime(usage, nowMs);
  // An earlier attempt, whose server may be suspended, gives up its place.
  const others = withoutEarlier(row, demand, nowMs);
  const refusal =
    (demand.isMetered ? refusedByQuota(others, limits, demand, nowMs) : undefined) ??
    (demand.isBatch
      ? undefined
      : (refusedByConcurrency(others, limits) ?? refusedByRate(others, limits, demand, nowMs)));
  if (refusal) return { row, rates: rateStates(row, limits, nowMs), refusal };
  const { id, attempt = 0, owner, tokens, isBatch } = demand;
  const of = { id, owner, ...(attempt > 0 ? { attempt } : {}) };
  const active: ActiveRow = { ...of, tokens, second: secondOf(nowMs), is_counted: !isBatch };
  const admitted: UsageRow = {
    ...others,
    slots: isBatch ? others.slots : addToSlots(others.slots, nowMs, { requests: 1, tokens }),
    active: withAdmitted(others, active),
    last_used_ms: nowMs,
    ...(attempt > 0 ? { last_attempts: withAttempt(others, { id, attempt }) } : {}),
  };
  return { row: admitted, rates: rateStates(admitted, limits, nowMs) };
}

/** Of one request the last attempt counts: the server of an earlier one may have been suspended, and wake. */
function withAdmitted(usage: UsageRow, admitted: ActiveRow): ActiveRow[] {
  const { active } = usage;
  const isLate =
    isOutdated(usage, admitted) || active.some((one) => one.id === admitted.id && isLater(one, admitted));
  return isLate ? [...active] : [...active.filter((one) => one.id !== admitted.id), admitted];
}

/** Whether a later attempt of the same request was admitted: what this one used since then was never counted. */
export function isOutdated(
  { last_attempts = [] }: UsageRow,
  one: Pick<ActiveRow, "id" | "attempt">,
): boolean {
  return last_attempts.some((last) => last.id === one.id && isLater(last, one));
}

function withAttempt(usage: UsageRow, one: AttemptRow): AttemptRow[] {
  const { last_attempts = [] } = usage;
  if (isOutdated(usage, one)) return last_attempts;
  return [...last_attempts.filter(({ id }) => id !== one.id), one].slice(-MAX_ATTEMPTS_KEPT);
}

/** Without the attempt of the same request that still runs on an earlier server. */
function withoutEarlier(row: UsageRow, demand: Demand, nowMs: number): UsageRow {
  const earlier = row.active.find((one) => one.id === demand.id && isLater(demand, one));
  if (!earlier) return row;
  return {
    ...row,
    slots: earlier.is_counted ? takeFromSlots(row.slots, nowMs, earlier) : row.slots,
    active: row.active.filter((one) => one !== earlier),
  };
}

/** Without what counts no longer: slots and spans that have passed. */
function atTime(usage: UsageRow, nowMs: number): UsageRow {
  return { ...usage, slots: countingSlots(usage.slots, nowMs), ...currentSpans(usage, nowMs) };
}

/** Tokens and pico-USD. */
export interface Used {
  tokens: number;
  pico: bigint;
  /** When: it counts in the day and the month of that time. @default now */
  timeMs?: number;
}

/** An admitted attempt of a request, and the worker that serves it. */
export type AdmittedRequest = Pick<ActiveRow, "id" | "attempt" | "owner">;

/**
 * Raises what a running request reserves to its `tokens`, or returns the quota that they would exceed. Per-minute limits
 * count but never refuse them. A request that has ended reserves nothing.
 *
 * A refused request releases its reservation, so that it cannot make a parallel request fail that fits alone.
 */
export function extend(
  usage: UsageRow,
  limits: LimitsRow,
  request: AdmittedRequest & { tokens: number },
  nowMs: number,
): Verdict {
  const { tokens } = request;
  const row = atTime(usage, nowMs);
  const running = find(row, request);
  if (!running) return { row, rates: rateStates(row, limits, nowMs) };
  // Excludes its own reservation: the refusal is about the whole request.
  const others = { ...row, active: row.active.filter((one) => one !== running) };
  const refusal = refusedByTokens(others, limits, tokens, nowMs);
  const changed = refusal ? released(row, running, nowMs) : extended(row, running, tokens, nowMs);
  const rates = rateStates(changed, limits, nowMs);
  return refusal ? { row: changed, rates, refusal } : { row: changed, rates };
}

function extended(row: UsageRow, running: ActiveRow, tokens: number, nowMs: number): UsageRow {
  const more = tokens - running.tokens;
  const parts = [...(running.extended ?? []), { second: secondOf(nowMs), tokens: more }];
  return {
    ...row,
    slots: running.is_counted ? addToSlots(row.slots, nowMs, { requests: 0, tokens: more }) : row.slots,
    active: row.active.map((one) => (one === running ? { ...running, tokens, extended: parts } : one)),
  };
}

/** It still runs until its holder ends it, which counts for the limit of concurrent requests. */
function released(row: UsageRow, running: ActiveRow, nowMs: number): UsageRow {
  return {
    ...row,
    slots: running.is_counted ? correctTokens(row.slots, nowMs, running, 0) : row.slots,
    active: row.active.map((one) => (one === running ? { ...running, tokens: 0, extended: [] } : one)),
  };
}

/**
 * Ends a request: its reservation becomes its actual usage. No effect if it has ended already, or if another attempt has
 * taken its place.
 */
export function finish(usage: UsageRow, request: AdmittedRequest, used: Used, nowMs: number): UsageRow {
  const active = find(usage, request);
  if (!active) return usage;
  const slots = countingSlots(usage.slots, nowMs);
  return {
    ...usage,
    ...changeSpans(usage, used.timeMs ?? nowMs, nowMs, (span) => addToSpan(span, used.tokens, used.pico)),
    active: usage.active.filter((one) => one !== active),
    slots: active.is_counted ? correctTokens(slots, nowMs, active, used.tokens) : slots,
  };
}

/**
 * Returns the usage of a request that is about to be retried, because the record of an attempt was reversed. An attempt
 * that has not ended here, or that a later one has replaced, was never counted.
 */
export function refund(
  usage: UsageRow,
  reversed: Pick<ActiveRow, "id" | "attempt">,
  used: Used,
  nowMs: number,
): UsageRow {
  const isUncounted =
    isOutdated(usage, reversed) ||
    usage.active.some((one) => one.id === reversed.id && !isLater(reversed, one));
  return isUncounted ? usage : giveBack(usage, used, nowMs);
}

/** Subtracts what was counted. */
export function giveBack(usage: UsageRow, used: Used, nowMs: number): UsageRow {
  const { tokens, pico, timeMs = nowMs } = used;
  return { ...usage, ...changeSpans(usage, timeMs, nowMs, (span) => subtractFromSpan(span, tokens, pico)) };
}

function find({ active }: UsageRow, { id, attempt = 0, owner }: AdmittedRequest): ActiveRow | undefined {
  return active.find((one) => one.id === id && (one.attempt ?? 0) === attempt && one.owner === owner);
}

function rateStates(row: UsageRow, limits: LimitsRow, nowMs: number): RateStates {
  const stateOf = (measure: Measure, limit: number | undefined): RateStates =>
    limit === undefined
      ? {}
      : {
          [measure]: {
            limit,
            remaining: Math.max(0, limit - usedOf(row.slots, measure)),
            resetMs: resetMsOf(row.slots, nowMs, measure),
          },
        };
  return {
    ...stateOf("requests", limits.requests_per_minute),
    ...stateOf("tokens", limits.tokens_per_minute),
  };
}
