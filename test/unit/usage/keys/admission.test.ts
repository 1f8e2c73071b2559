/** Properties of the rate limiter, for arbitrary requests at arbitrary times. */

import { expect, test } from "vitest";
import { admit, extend, finish, newUsage } from "../../../../worker/usage/keys/admission.ts";
import type { Demand } from "../../../../worker/usage/keys/refusals.ts";
import type { LimitsRow, UsageRow } from "../../../../worker/usage/keys/schema.ts";
import { fc } from "../../../support/random.ts";

const START_MS = Date.UTC(2026, 2, 31, 23, 58);
const WINDOW_MS = 60_000;

interface Arrival {
  /** Milliseconds since the previous arrival. */
  gapMs: number;
  tokens: number;
  /** Share of the reserved tokens, 0 to 1. */
  usedShare: number;
  /** Number of arrivals until the request ends. */
  endsAfter: number;
}

const arrivals = fc.array(
  fc.record({
    // Within one second, just under a minute, or anything.
    gapMs: fc.oneof(
      fc.integer({ min: 0, max: 999 }),
      fc.integer({ min: 59_000, max: 60_000 }),
      fc.integer({ min: 0, max: 70_000 }),
    ),
    tokens: fc.integer({ min: 0, max: 40 }),
    usedShare: fc.double({ min: 0, max: 1, noNaN: true }),
    endsAfter: fc.integer({ min: 0, max: 5 }),
  }),
  { maxLength: 80 },
);

const limitsOf = fc.record(
  {
    requests_per_minute: fc.integer({ min: 1, max: 12 }),
    tokens_per_minute: fc.integer({ min: 1, max: 150 }),
    concurrent_requests: fc.integer({ min: 1, max: 4 }),
    tokens_per_day: fc.integer({ min: 1, max: 400 }),
    tokens_per_month: fc.integer({ min: 1, max: 800 }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<LimitsRow>;

interface Admitted {
  id: string;
  atMs: number;
  reserved: number;
  used: number;
  endsAt: number;
  isEnded: boolean;
}

/** Runs the arrivals and reports each verdict to `look`. */
function play(
  limits: LimitsRow,
  list: readonly Arrival[],
  look: (now: {
    row: UsageRow;
    demand: Demand;
    verdict: ReturnType<typeof admit>;
    nowMs: number;
  }) => void = () => {},
): Admitted[] {
  let row = newUsage("key");
  let nowMs = START_MS;
  const admitted: Admitted[] = [];
  for (const [at, arrival] of list.entries()) {
    nowMs += arrival.gapMs;
    for (const one of admitted) {
      if (one.isEnded || one.endsAt > at) continue;
      one.isEnded = true;
      row = finish(row, { id: one.id, owner: "me" }, { tokens: one.used, pico: 0n }, nowMs);
    }
    const demand: Demand = {
      id: `r${at}`,
      owner: "me",
      tokens: arrival.tokens,
      isMetered: true,
      isBatch: false,
    };
    const verdict = admit(row, limits, demand, nowMs);
    look({ row, demand, verdict, nowMs });
    row = verdict.row;
    if (verdict.refusal) continue;
    const used = Math.floor(arrival.tokens * arrival.usedShare);
    admitted.push({
      id: demand.id,
      atMs: nowMs,
      reserved: arrival.tokens,
      used,
      endsAt: at + arrival.endsAfter,
      isEnded: false,
    });
  }
  return admitted;
}

test("no window of sixty seconds, wherever it begins, holds more requests than the limit", () => {
  fc.assert(
    fc.property(limitsOf, arrivals, (limits, list) => {
      const admitted = play(limits, list);
      for (const { atMs } of admitted) {
        const inside = admitted.filter((one) => one.atMs >= atMs && one.atMs < atMs + WINDOW_MS);
        expect(inside.length).toBeLessThanOrEqual(limits.requests_per_minute ?? Number.POSITIVE_INFINITY);
      }
    }),
  );
});

test("requests of one second count until a minute after the last of them", () => {
  const limits = { requests_per_minute: 2 };
  const demand = { owner: "me", tokens: 0, isMetered: false, isBatch: false };
  const first = admit(newUsage("key"), limits, { ...demand, id: "1" }, START_MS);
  const second = admit(first.row, limits, { ...demand, id: "2" }, START_MS + 900);
  const early = admit(second.row, limits, { ...demand, id: "3" }, START_MS + 60_899);
  expect(early.refusal).toMatchObject({ reason: "requests", waitMs: 1 });
  expect(admit(second.row, limits, { ...demand, id: "3" }, START_MS + 60_900).refusal).toBeUndefined();
});

test("of requests that were sent again, the last attempts of the 32 latest are kept", () => {
  const demand = { owner: "me", tokens: 0, isMetered: false, isBatch: false };
  const ids = Array.from({ length: 100 }, (_, at) => `r${at}`);
  const row = ids.reduce((last, id) => {
    const begun = [1, 3, 2].reduce(
      (usage, attempt) => admit(usage, {}, { ...demand, id, attempt }, START_MS).row,
      last,
    );
    return finish(begun, { id, attempt: 3, owner: "me" }, { tokens: 0, pico: 0n }, START_MS);
  }, newUsage("key"));
  expect(row.last_attempts).toEqual(ids.slice(-32).map((id) => ({ id, attempt: 3 })));
  expect(row.active).toEqual([]);
});

test("no window of sixty seconds holds more used tokens than the limit", () => {
  fc.assert(
    fc.property(limitsOf, arrivals, (limits, list) => {
      const admitted = play(limits, list);
      for (const { atMs } of admitted) {
        const inside = admitted.filter((one) => one.atMs >= atMs && one.atMs < atMs + WINDOW_MS);
        const used = inside.reduce((sum, one) => sum + one.used, 0);
        expect(used).toBeLessThanOrEqual(limits.tokens_per_minute ?? Number.POSITIVE_INFINITY);
      }
    }),
  );
});

test("never more run at one time than allowed, and a quota is never crossed by what was reserved", () => {
  fc.assert(
    fc.property(limitsOf, arrivals, (limits, list) => {
      play(limits, list, ({ verdict: { row } }) => {
        expect(row.active.length).toBeLessThanOrEqual(limits.concurrent_requests ?? Number.POSITIVE_INFINITY);
        const reserved = row.active.reduce((sum, one) => sum + one.tokens, 0);
        expect(row.day.tokens + reserved).toBeLessThanOrEqual(
          limits.tokens_per_day ?? Number.POSITIVE_INFINITY,
        );
        expect(row.month.tokens + reserved).toBeLessThanOrEqual(
          limits.tokens_per_month ?? Number.POSITIVE_INFINITY,
        );
      });
    }),
  );
});

test("what remains and when it resets is true: so much more is let in, and after that time all of it", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), arrivals, (limit, list) => {
      const limits = { requests_per_minute: limit };
      play(limits, list, ({ verdict: { row, rates }, nowMs, demand }) => {
        const { remaining, resetMs } = rates.requests!;
        let at = row;
        for (let more = 0; more <= remaining; more++) {
          const next = admit(at, limits, { ...demand, id: `more-${more}` }, nowMs);
          expect(next.refusal === undefined).toBe(more < remaining);
          at = next.row;
        }
        // A batch line reads the limits without consuming them.
        const look = { ...demand, id: "look", isBatch: true };
        const remainingAt = (timeMs: number) => admit(row, limits, look, timeMs).rates.requests!.remaining;
        expect(remainingAt(nowMs + resetMs)).toBe(limit);
        if (resetMs > 0) expect(remainingAt(nowMs + resetMs - 1)).toBeLessThan(limit);
      });
    }),
  );
});

test("whoever waits as long as the refusal says is let in, and nobody is told to wait for longer than needed", () => {
  const rates = fc.record({
    requests_per_minute: fc.integer({ min: 1, max: 6 }),
    tokens_per_minute: fc.integer({ min: 40, max: 100 }),
  });
  fc.assert(
    fc.property(rates, arrivals, (limits, list) => {
      play(limits, list, ({ verdict, nowMs, demand }) => {
        const { refusal, row } = verdict;
        if (!refusal) return;
        expect(refusal.waitMs).toBeGreaterThan(0);
        expect(refusal.waitMs).toBeLessThanOrEqual(WINDOW_MS);
        const early = admit(row, limits, demand, nowMs + refusal.waitMs - 1);
        expect(early.refusal?.reason).toBe(refusal.reason);
        const late = admit(row, limits, demand, nowMs + refusal.waitMs);
        expect(late.refusal?.reason).not.toBe(refusal.reason);
      });
    }),
  );
});

test("a refused request leaves nothing behind, and ending one twice counts once", () => {
  fc.assert(
    fc.property(limitsOf, arrivals, (limits, list) => {
      play(limits, list, ({ row, demand, verdict, nowMs }) => {
        if (verdict.refusal) {
          const again = admit(verdict.row, limits, demand, nowMs);
          expect(again).toEqual(verdict);
          expect(verdict.row.active).toEqual(row.active);
          return;
        }
        const once = finish(verdict.row, demand, { tokens: 3, pico: 5n }, nowMs);
        expect(finish(once, demand, { tokens: 3, pico: 5n }, nowMs)).toEqual(once);
        expect(once.day.tokens - verdict.row.day.tokens).toBe(3);
      });
    }),
  );
});

test("only the worker that serves a request ends it or reserves more for it", () => {
  const demand = { id: "1", tokens: 10, isMetered: true, isBatch: false };
  const limits = { tokens_per_day: 50 };
  const dead = admit(newUsage("key"), limits, { ...demand, owner: "dead" }, START_MS);
  const live = admit(dead.row, limits, { ...demand, owner: "live" }, START_MS);
  const used = { tokens: 7, pico: 0n };
  expect(finish(live.row, { id: "1", owner: "dead" }, used, START_MS)).toEqual(live.row);
  expect(extend(live.row, limits, { id: "1", owner: "dead", tokens: 5 }, START_MS).row).toEqual(live.row);
  expect(finish(live.row, { id: "1", owner: "live" }, used, START_MS)).toMatchObject({
    active: [],
    day: { tokens: 7 },
  });
});

test("more is reserved as long as it fits the quota, and a refused request reserves nothing any more", () => {
  const request = { id: "1", owner: "me" };
  const demand = { ...request, tokens: 10, isMetered: true, isBatch: false };
  const limits = { tokens_per_day: 50 };
  const { row } = admit(newUsage("key"), limits, demand, START_MS);
  const fits = extend(row, limits, { ...request, tokens: 50 }, START_MS);
  expect(fits).toMatchObject({ row: { active: [{ tokens: 50 }] } });
  const refused = extend(fits.row, limits, { ...request, tokens: 51 }, START_MS);
  expect(refused.refusal).toMatchObject({ reason: "quota", span: "day", used: "0 tokens" });
  expect(refused.row).toMatchObject({ active: [{ tokens: 0, is_counted: true }], slots: [{ tokens: 0 }] });
  const again = extend(refused.row, limits, { ...request, tokens: 50 }, START_MS);
  expect(again).toMatchObject({ row: { active: [{ tokens: 50 }], slots: [{ tokens: 50 }] } });
  const ended = finish(again.row, request, { tokens: 20, pico: 0n }, START_MS);
  expect(ended).toMatchObject({ active: [], slots: [{ tokens: 20 }], day: { tokens: 20 } });
});

test("of parallel requests that each fit a quota alone, one at least is served, and none crosses it", () => {
  const limits = { tokens_per_day: 100 };
  const size = fc.integer({ min: 1, max: 100 });
  const sizes = fc.array(fc.record({ estimate: size, counted: size }), { minLength: 1, maxLength: 8 });
  const order = fc.array(fc.nat(), { minLength: 24, maxLength: 24 });
  fc.assert(
    fc.property(sizes, order, fc.boolean(), (list, picks, isBatch) => {
      let row = newUsage("key");
      const reservedBy = (id: string) => row.active.find((one) => one.id === id)!.tokens;
      function* serve({ estimate, counted }: (typeof list)[number], at: number) {
        const request = { id: `r${at}`, owner: "me" };
        const demand = { ...request, tokens: estimate, isMetered: true, isBatch };
        const admitted = admit(row, limits, demand, START_MS);
        row = admitted.row;
        if (admitted.refusal) return;
        yield;
        const total = Math.max(estimate, counted);
        const { refusal, row: next } = extend(row, limits, { ...request, tokens: total }, START_MS);
        row = next;
        expect(reservedBy(request.id)).toBe(refusal ? 0 : total);
        yield;
        row = finish(row, request, { tokens: refusal ? 0 : counted, pico: 0n }, START_MS);
      }
      const running = list.map(serve);
      for (let at = 0; running.length > 0; at++) {
        const one = picks[at]! % running.length;
        if (running[one]!.next().done) running.splice(one, 1);
        const reserved = row.active.reduce((sum, { tokens }) => sum + tokens, 0);
        expect(row.day.tokens + reserved).toBeLessThanOrEqual(100);
      }
      expect(row.active).toEqual([]);
      expect(row.day.tokens).toBeGreaterThan(0);
      const counting = row.slots.reduce((sum, { tokens }) => sum + tokens, 0);
      expect(counting).toBe(isBatch ? 0 : row.day.tokens);
    }),
    { numRuns: 500 },
  );
});

test("lines of a batch are held to the quotas alone", () => {
  const limits = { requests_per_minute: 1, tokens_per_minute: 1, concurrent_requests: 1, tokens_per_day: 25 };
  const line = { owner: "me", tokens: 10, isMetered: true, isBatch: true };
  const first = admit(newUsage("key"), limits, { ...line, id: "1" }, START_MS);
  const second = admit(first.row, limits, { ...line, id: "2" }, START_MS);
  const third = admit(second.row, limits, { ...line, id: "3" }, START_MS);
  expect([first.refusal, second.refusal, third.refusal?.reason]).toEqual([undefined, undefined, "quota"]);
  expect(third.refusal?.span).toBe("day");
  // Batch lines do not count toward the per-minute limits either.
  const request = admit(second.row, limits, { ...line, id: "4", tokens: 1, isBatch: false }, START_MS);
  expect(request.refusal).toBeUndefined();
});

test("a clock that is set back frees nothing, and locks nobody out for longer than a minute", () => {
  const limits = { requests_per_minute: 1 };
  const demand = { id: "1", owner: "me", tokens: 0, isMetered: false, isBatch: false };
  const { row } = admit(newUsage("key"), limits, demand, START_MS);
  const back = START_MS - 86_400_000;
  const refused = admit(row, limits, { ...demand, id: "2" }, back);
  expect(refused.refusal).toMatchObject({ reason: "requests", waitMs: WINDOW_MS });
  expect(admit(refused.row, limits, { ...demand, id: "3" }, back + WINDOW_MS).refusal).toBeUndefined();
});

test("what an extended request does not use is free at once, whenever it was reserved", () => {
  const limits = { tokens_per_minute: 100, tokens_per_day: 1_000 };
  const [first, other] = ["a", "b"].map((id) => ({ id, owner: "me" }));
  const demand = (id: string, tokens: number): Demand => ({
    id,
    owner: "me",
    tokens,
    isMetered: true,
    isBatch: false,
  });
  let { row } = admit(newUsage("key"), limits, demand("a", 10), START_MS);
  row = extend(row, limits, { ...first!, tokens: 60 }, START_MS + 5_000).row;
  row = admit(row, limits, demand("b", 7), START_MS + 5_000).row;
  row = finish(row, first!, { tokens: 4, pico: 0n }, START_MS + 6_000);
  expect(admit(row, limits, demand("c", 1), START_MS + 6_000).rates.tokens!.remaining).toBe(100 - 4 - 7 - 1);
  row = finish(row, other!, { tokens: 7, pico: 0n }, START_MS + 6_000);
  expect(admit(row, limits, demand("c", 1), START_MS + 61_000).rates.tokens!.remaining).toBe(100 - 7 - 1);
});
