/** Usage per day and month under arbitrary clock changes. */

import { expect, test } from "vitest";
import { admit, finish, newUsage, refund } from "../../../../worker/usage/keys/admission.ts";
import type { UsageRow } from "../../../../worker/usage/keys/schema.ts";
import { currentSpans, spanStart } from "../../../../worker/usage/keys/spans.ts";
import { fc } from "../../../support/random.ts";

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 2, 10, 12);
const OWNER = "server";
const SPANS = ["day", "month"] as const;

let requests = 0;

/** One request of `tokens` tokens at 1,000 pico-USD each, admitted and finished at `nowMs`. */
function use(usage: UsageRow, tokens: number, nowMs: number): UsageRow {
  const id = `request-${++requests}`;
  const demand = { id, owner: OWNER, tokens, isMetered: true, isBatch: false };
  const { row, refusal } = admit(usage, {}, demand, nowMs);
  expect(refusal).toBeUndefined();
  return finish(row, { id, owner: OWNER }, { tokens, pico: BigInt(tokens) * 1000n }, nowMs);
}

const steps = fc.array(
  fc.record({
    /** Days from the start: nearby, off by a wrong date, or off by a wrong year. */
    day: fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: -3, max: 3 }) },
      { weight: 2, arbitrary: fc.integer({ min: -60, max: 60 }) },
      { weight: 1, arbitrary: fc.integer({ min: -7_000, max: 7_000 }) },
    ),
    tokens: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 1_000 })),
  }),
  { minLength: 1, maxLength: 120 },
);

test("law: no walk of the clock takes from a day or a month what it has used", () => {
  fc.assert(
    fc.property(steps, (walk) => {
      let usage = newUsage("key");
      const seen = new Map<string, { tokens: number; pico: bigint }>();
      for (const { day, tokens } of walk) {
        const nowMs = START_MS + day * DAY_MS;
        if (tokens > 0) usage = use(usage, tokens, nowMs);
        // A refused request stores the current spans, too.
        const spans = currentSpans(usage, nowMs);
        usage = { ...usage, ...spans };
        for (const name of SPANS) {
          const key = `${name} ${spanStart(name, nowMs)}`;
          const before = seen.get(key) ?? { tokens: 0, pico: 0n };
          const now = { tokens: spans[name].tokens, pico: BigInt(spans[name].pico) };
          expect(now.tokens, key).toBeGreaterThanOrEqual(before.tokens + tokens);
          expect(now.pico >= before.pico + BigInt(tokens) * 1000n, key).toBe(true);
          seen.set(key, now);
        }
        // The row stays bounded, however long the walk is.
        expect([...(spans.other_days ?? []), ...(spans.other_months ?? [])].length).toBeLessThanOrEqual(16);
      }
    }),
    { numRuns: 300 },
  );
});

test("law: under a clock that only goes on, each day and month counts exactly what it used and kept", () => {
  const days = fc.array(
    fc.record({
      after: fc.oneof(fc.constant(0), fc.constant(1), fc.integer({ min: 0, max: 50 })),
      tokens: fc.nat(1_000),
      /** How many requests ago one was made that is now given back. */
      givenBack: fc.option(fc.nat(12)),
    }),
    { maxLength: 120 },
  );
  fc.assert(
    fc.property(days, (walk) => {
      let usage = newUsage("key");
      let nowMs = START_MS;
      const used = new Map<string, number>();
      const kept: { tokens: number; pico: bigint; timeMs: number }[] = [];
      const count = (timeMs: number, tokens: number): void => {
        for (const name of SPANS) {
          const key = `${name} ${spanStart(name, timeMs)}`;
          used.set(key, (used.get(key) ?? 0) + tokens);
        }
      };
      for (const { after, tokens, givenBack } of walk) {
        nowMs += after * DAY_MS;
        usage = use(usage, tokens, nowMs);
        count(nowMs, tokens);
        kept.unshift({ tokens, pico: BigInt(tokens) * 1000n, timeMs: nowMs });
        const [back] = givenBack === null ? [] : kept.splice(givenBack, 1);
        if (back) {
          usage = refund(usage, { id: "given back" }, back, nowMs);
          count(back.timeMs, -back.tokens);
        }
        for (const name of SPANS) {
          const key = `${name} ${spanStart(name, nowMs)}`;
          expect(currentSpans(usage, nowMs)[name].tokens, key).toBe(used.get(key));
        }
      }
    }),
    { numRuns: 300 },
  );
});

test("a clock that was weeks in another year and is right again locks no day to come", () => {
  let usage = newUsage("key");
  for (let day = 0; day < 20; day++) usage = use(usage, 5, START_MS + day * DAY_MS);
  for (let day = 0; day < 20; day++) usage = use(usage, 500, Date.UTC(2035, 0, 1 + day));
  const back = START_MS + 20 * DAY_MS;
  expect(currentSpans(usage, back).day.tokens).toBe(500);
  usage = use(usage, 5, back);
  for (let day = 21; day < 60; day++) {
    const nowMs = START_MS + day * DAY_MS;
    expect(currentSpans(usage, nowMs).day.tokens).toBe(0);
    usage = use(usage, 5, nowMs);
  }
});

test("a row of an earlier version, with current spans alone, goes on", () => {
  const day = { start_ms: spanStart("day", START_MS), tokens: 7, pico: "7000" };
  const month = { start_ms: spanStart("month", START_MS), tokens: 9, pico: "9000" };
  const row: UsageRow = { access_key: "key", slots: [], active: [], day, month };
  expect(currentSpans(row, START_MS)).toMatchObject({ day, month });
  const away = { ...row, ...currentSpans(row, START_MS + 40 * DAY_MS) };
  expect([away.day.tokens, away.month.tokens]).toEqual([0, 0]);
  expect(currentSpans(away, START_MS)).toMatchObject({ day, month });
});
