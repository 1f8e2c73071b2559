/**
 * Admissions of the last sixty seconds, in one-second slots. A slot counts until a minute after its last request,
 * so that no sixty-second window ever exceeds the limit.
 */

import type { ActiveRow, SlotRow } from "./schema.ts";

const WINDOW_MS = 60_000;

export type Measure = "requests" | "tokens";

export function secondOf(timeMs: number): number {
  return Math.floor(timeMs / 1000);
}

/**
 * The slots that still count. If the clock was set back, later admissions count as admitted now: that frees
 * nothing, and blocks requests for a minute at most.
 */
export function countingSlots(slots: readonly SlotRow[], nowMs: number): SlotRow[] {
  return slots
    .map((slot) => (slot.last_ms > nowMs ? { ...slot, last_ms: nowMs } : slot))
    .filter((slot) => slot.last_ms > nowMs - WINDOW_MS);
}

export function usedOf(slots: readonly SlotRow[], measure: Measure): number {
  return slots.reduce((sum, slot) => sum + slot[measure], 0);
}

/** Counts usage as of now. */
export function addToSlots(
  slots: readonly SlotRow[],
  nowMs: number,
  { requests, tokens }: Pick<SlotRow, Measure>,
): SlotRow[] {
  const second = secondOf(nowMs);
  const own = slots.find((slot) => slot.second === second);
  const rest = slots.filter((slot) => slot !== own);
  return [
    ...rest,
    {
      second,
      last_ms: Math.max(nowMs, own?.last_ms ?? 0),
      requests: (own?.requests ?? 0) + requests,
      tokens: (own?.tokens ?? 0) + tokens,
    },
  ];
}

/** Replaces a request's reservation with its actual usage, the latest part first. Any excess counts as of now. */
export function correctTokens(
  slots: readonly SlotRow[],
  nowMs: number,
  reserved: Pick<ActiveRow, "second" | "tokens" | "extended">,
  usedTokens: number,
): SlotRow[] {
  const { second, tokens, extended = [] } = reserved;
  const change = usedTokens - tokens;
  if (change > 0) return addToSlots(slots, nowMs, { requests: 0, tokens: change });
  const unused = new Map<number, number>();
  let rest = -change;
  for (const part of [...extended.toReversed(), { second, tokens: rest }]) {
    const freed = Math.min(rest, part.tokens);
    unused.set(part.second, (unused.get(part.second) ?? 0) + freed);
    rest -= freed;
  }
  return slots.map((slot) => ({
    ...slot,
    tokens: Math.max(0, slot.tokens - (unused.get(slot.second) ?? 0)),
  }));
}

/** Takes a request back, with all that it reserves. */
export function takeFromSlots(
  slots: readonly SlotRow[],
  nowMs: number,
  reserved: Pick<ActiveRow, "second" | "tokens" | "extended">,
): SlotRow[] {
  return correctTokens(slots, nowMs, reserved, 0).map((slot) =>
    slot.second === reserved.second ? { ...slot, requests: Math.max(0, slot.requests - 1) } : slot,
  );
}

/** Time until `wanted` more fit under the limit: 0 now, Infinity never. */
export function waitMsFor(
  slots: readonly SlotRow[],
  nowMs: number,
  measure: Measure,
  { limit, wanted }: { limit: number; wanted: number },
): number {
  if (wanted > limit) return Number.POSITIVE_INFINITY;
  let excess = usedOf(slots, measure) + wanted - limit;
  if (excess <= 0) return 0;
  for (const slot of slots.toSorted((a, b) => a.last_ms - b.last_ms)) {
    excess -= slot[measure];
    if (excess <= 0) return slot.last_ms + WINDOW_MS - nowMs;
  }
  return WINDOW_MS;
}

/** Time until no slot counts any more. */
export function resetMsOf(slots: readonly SlotRow[], nowMs: number, measure: Measure): number {
  const ends = slots.filter((slot) => slot[measure] > 0).map((slot) => slot.last_ms + WINDOW_MS - nowMs);
  return Math.max(0, ...ends);
}
