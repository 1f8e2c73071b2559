/** Usage of a key by UTC day and month, for its quotas. Each span keeps its usage when the clock moves. */

import type { SpanRow, UsageRow } from "./schema.ts";

export type SpanName = "day" | "month";

/** Maximum spans kept besides the current ones. */
const MAX_OTHERS = 8;

/** Start of the UTC day or month of a time, in milliseconds. */
export function spanStart(name: SpanName, timeMs: number): number {
  const date = new Date(timeMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), name === "day" ? date.getUTCDate() : 1);
}

/** End of the UTC day or month of a time, in milliseconds: the start of the next. */
export function spanEnd(name: SpanName, timeMs: number): number {
  const date = new Date(spanStart(name, timeMs));
  const isDay = name === "day";
  return Date.UTC(
    date.getUTCFullYear(),
    date.getUTCMonth() + (isDay ? 0 : 1),
    isDay ? date.getUTCDate() + 1 : 1,
  );
}

/** Adds tokens and pico-USD. */
export function addToSpan(span: SpanRow, tokens: number, pico: bigint): SpanRow {
  return { ...span, tokens: span.tokens + tokens, pico: String(BigInt(span.pico) + pico) };
}

/** Never below zero: the span may have restarted since. Merged spans keep the usage, which may be another's. */
export function subtractFromSpan(span: SpanRow, tokens: number, pico: bigint): SpanRow {
  if (span.last_ms !== undefined) return span;
  const left = BigInt(span.pico) - pico;
  return { ...span, tokens: Math.max(0, span.tokens - tokens), pico: String(left > 0n ? left : 0n) };
}

type Spans = Pick<UsageRow, SpanName | "other_days" | "other_months">;

/**
 * The usage of a key with the current spans. A span that the clock has shown before continues, a new one starts
 * empty; setting the clock back frees no quota.
 */
export function currentSpans(row: UsageRow, nowMs: number): Spans {
  const [day, other_days] = moved(row.day, row.other_days ?? [], spanStart("day", nowMs));
  const [month, other_months] = moved(row.month, row.other_months ?? [], spanStart("month", nowMs));
  return { day, month, other_days, other_months };
}

/** Changes the day and the month of a time, which need not be the current ones. */
export function changeSpans(
  row: UsageRow,
  timeMs: number,
  nowMs: number,
  change: (span: SpanRow) => SpanRow,
): Spans {
  const { day, month, other_days = [], other_months = [] } = currentSpans(row, nowMs);
  const days = changed(day, other_days, spanStart("day", timeMs), change);
  const months = changed(month, other_months, spanStart("month", timeMs), change);
  return { day: days[0], month: months[0], other_days: days[1], other_months: months[1] };
}

function changed(
  current: SpanRow,
  others: SpanRow[],
  startMs: number,
  change: (span: SpanRow) => SpanRow,
): [current: SpanRow, others: SpanRow[]] {
  if (isIn(current, startMs)) return [change(current), others];
  const known = others.find((span) => isIn(span, startMs));
  const next = change(known ?? empty(startMs));
  const rest = others.filter((span) => span !== known);
  return [current, isEmpty(next) ? rest : bounded([...rest, next], current.start_ms)];
}

function moved(current: SpanRow, others: SpanRow[], startMs: number): [current: SpanRow, others: SpanRow[]] {
  if (isIn(current, startMs)) return [current, others];
  const known = others.find((span) => isIn(span, startMs));
  const next = known ?? empty(startMs);
  const rest = others.filter((span) => span !== known);
  const left = isEmpty(current) ? rest : [...rest, current];
  return [startMs < current.start_ms ? atLeast(next, current) : next, bounded(left, startMs)];
}

function empty(start_ms: number): SpanRow {
  return { start_ms, tokens: 0, pico: "0" };
}

function isEmpty({ tokens, pico }: SpanRow): boolean {
  return tokens === 0 && pico === "0";
}

function isIn({ start_ms, last_ms = start_ms }: SpanRow, startMs: number): boolean {
  return start_ms <= startMs && startMs <= last_ms;
}

/**
 * Merges the nearest two while there are too many; the merged span has the greater usage of both. Never merges
 * across the current span, so that no future span is included.
 */
function bounded(spans: SpanRow[], startMs: number): SpanRow[] {
  const sorted = spans.toSorted((a, b) => a.start_ms - b.start_ms);
  while (sorted.length > MAX_OTHERS) {
    const gaps = sorted.slice(1).map((span, at) => {
      const before = sorted[at]!;
      const isAround = before.start_ms < startMs && startMs < span.start_ms;
      return isAround ? Number.POSITIVE_INFINITY : span.start_ms - (before.last_ms ?? before.start_ms);
    });
    const at = gaps.indexOf(Math.min(...gaps));
    const [first, second] = [sorted[at]!, sorted[at + 1]!];
    const last_ms = second.last_ms ?? second.start_ms;
    sorted.splice(at, 2, { ...atLeast(first, second), last_ms });
  }
  return sorted;
}

/** The span with at least the usage of another. */
function atLeast(span: SpanRow, { tokens, pico }: SpanRow): SpanRow {
  return {
    ...span,
    tokens: Math.max(span.tokens, tokens),
    pico: BigInt(span.pico) > BigInt(pico) ? span.pico : pico,
  };
}
