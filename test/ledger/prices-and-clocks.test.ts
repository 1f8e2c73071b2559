/** Prices under a wrong clock: they hold once it is right, and no hour with usage ever gets another one. */

import { expect, test } from "vitest";
import { RateCard } from "../../worker/usage/billing/prices/rate-card.ts";
import { HOUR_MS } from "../../worker/usage/ledger/schema.ts";
import { fc } from "../support/random.ts";
import { type Tab, unwrap, use, World } from "./support/world.ts";

const CURRENT = "/v1/billing/invoices/current";

const linesOf = async (tab: Tab) =>
  (await tab.get(CURRENT)).body.line_items.map(
    (line: { quantity: number; unit_price: number; presentation_group_values: { model: string } }) => [
      line.presentation_group_values.model,
      line.quantity,
      line.unit_price,
    ],
  );

test("one request while the clock is ahead keeps its price, and later changes hold from when they are made", async () => {
  const world = new World({ now: "2025-02-10T15:20:00Z" });
  const tab = await world.openTab();
  await use(tab, 1_000, 0);
  world.clock.set("2035-02-10T15:20:00Z");
  await use(tab, 5, 0);
  world.clock.set("2026-02-10T10:00:00Z");
  Object.assign(world.options, { pricing: { m: { input: "0.5", output: "0.2" } } });
  const next = await world.openTab();
  await use(next, 1_000, 0);
  expect(await linesOf(next)).toEqual([["m", 1_000, 5e-7]]);
  const change = { product: "text-input-tokens", model: "m", price: "0.7" } as const;
  unwrap(await next.rpc.scheduleRate({ ...change, effectiveAt: "2026-04-01T00:00:00Z" }));
  world.clock.set("2026-04-10T00:00:00Z");
  await use(next, 10, 0);
  expect(await linesOf(next)).toEqual([["m", 10, 7e-7]]);
  world.clock.set("2035-02-10T16:20:00Z");
  await use(next, 3, 0);
  expect(await linesOf(next)).toEqual([
    ["m", 5, 5e-8],
    ["m", 3, 5e-7],
  ]);
});

test("prices that came while the clock was ahead hold once it is right, also after further changes", async () => {
  const world = new World({ now: "2025-02-10T15:20:00Z" });
  await use(await world.openTab(), 1_000, 0);
  Object.assign(world.options, { pricing: { m: { input: "0.5", output: "0.2" }, n: { input: "1" } } });
  world.clock.set("2035-02-10T15:20:00Z");
  await (await world.openTab()).get(CURRENT);
  world.clock.set("2025-03-11T10:00:00Z");
  const right = await world.openTab();
  await use(right, 10, 0);
  await use(right, 20, 0, { model: "n" });
  expect(await linesOf(right)).toEqual([
    ["m", 10, 5e-7],
    ["n", 20, 1e-6],
  ]);
  Object.assign(world.options, { pricing: { m: { input: "0.6", output: "0.2" }, n: { input: "1" } } });
  world.clock.set("2025-04-11T10:00:00Z");
  for (let opened = 0; opened < 3; opened++) await (await world.openTab()).get(CURRENT);
  const range = IDBKeyRange.bound(
    ["text-input-tokens", "m", "serverless"],
    ["text-input-tokens", "m", "serverless", []],
  );
  const rates = await right.database!.read(["rates"], (all) => all.objectStore("rates").getAll(range));
  expect(rates).toHaveLength(5);
  for (const [now, price] of [
    ["2025-04-11T10:00:00Z", 6e-7],
    ["2035-03-10T00:00:00Z", 6e-7],
  ] as const) {
    world.clock.set(now);
    await use(right, 1, 0);
    expect(await linesOf(right)).toEqual([["m", 1, price]]);
  }
});

const CLASS = "*chat-4b";
const NAMES = ["m", "m-by-another-name"];
const aliases = (model: string) => (NAMES.includes(model) ? NAMES.filter((name) => name !== model) : []);
const prices = fc.constantFrom("0", "1", "2", "3");

/** What happens at an hour after the start, which may be before that of the last. */
function stepsOf(models: readonly string[], priced: readonly string[]) {
  const hour = fc.constantFrom(0, 1, 2, 24, 700, 9_000, 90_000, -1, -9_000);
  const model = fc.constantFrom(...models);
  const pricing = fc.dictionary(fc.constantFrom(...priced), fc.record({ input: prices }), { minKeys: 1 });
  return fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.record({ kind: fc.constant("use" as const), hour, model }) },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant("open" as const), hour, pricing }) },
      {
        weight: 2,
        arbitrary: fc.record({ kind: fc.constant("schedule" as const), hour, model, price: prices }),
      },
    ),
    { minLength: 2, maxLength: 14 },
  );
}

/** The price of each hour with usage, by model. */
function pricesOfUsage(tab: Tab): Promise<Map<string, bigint>> {
  return tab.database!.read(["rates", "rollups"], async (all) => {
    const card = await RateCard.read(all, aliases);
    const rows = await all.objectStore("rollups").getAll();
    return new Map(
      rows.map((row) => {
        const found = card.segments(row, row.hour_ms, row.hour_ms + HOUR_MS);
        expect(found).toHaveLength(1);
        return [`${row.model} ${row.hour_ms}`, found[0]!.unitPricePico];
      }),
    );
  });
}

type Steps = ReturnType<typeof stepsOf> extends fc.Arbitrary<infer Value> ? Value : never;

async function play(
  steps: Steps,
  afterOpen: (tab: Tab, input: string, nowMs: number) => Promise<void>,
): Promise<void> {
  const world = new World({ pricing: { m: { input: "1" } }, aliases });
  const startMs = world.clock.now();
  let tab = await world.openTab();
  let before = new Map<string, bigint>();
  for (const step of steps) {
    const nowMs = startMs + step.hour * HOUR_MS;
    world.clock.set(nowMs);
    if (step.kind === "use") await use(tab, 10, 0, { model: step.model });
    else if (step.kind === "open") {
      Object.assign(world.options, { pricing: step.pricing });
      tab = await world.openTab();
      await afterOpen(tab, step.pricing.m?.input ?? "", nowMs);
    } else {
      const { model, price } = step;
      const effectiveAt = new Date(Math.ceil(nowMs / HOUR_MS) * HOUR_MS).toISOString();
      await tab.rpc.scheduleRate({ product: "text-input-tokens", model, price, effectiveAt });
    }
    const after = await pricesOfUsage(tab);
    for (const [key, pico] of before) expect([key, after.get(key)]).toEqual([key, pico]);
    before = after;
  }
}

test("law: wherever the clock goes, no hour with usage gets another price", async () => {
  const steps = stepsOf([...NAMES, "other"], [...NAMES, "other", CLASS]);
  await fc.assert(
    fc.asyncProperty(steps, (all) => play(all, async () => {})),
    { numRuns: 60 },
  );
});

test("law: wherever the clock was, a configured price holds within hours of when it is right", async () => {
  const steps = stepsOf(["m"], ["m"]).map((all) => all.filter(({ kind }) => kind !== "schedule"));
  const thing = { product_id: "text-input-tokens", model: "m", tier: "serverless" } as const;
  const property = fc.asyncProperty(steps, (all) =>
    play(all, async (tab, input, nowMs) => {
      const used = [...(await pricesOfUsage(tab)).keys()].map((key) => Number(key.split(" ")[1]));
      // No hour has two prices: each change within the same hours may start one later than the last.
      let free = Math.floor(nowMs / HOUR_MS) * HOUR_MS + (6 + all.length) * HOUR_MS;
      while (used.includes(free)) free += HOUR_MS;
      const card = await tab.database!.read(["rates"], (rates) => RateCard.read(rates, aliases));
      const [price] = card.segments(thing, free, free + HOUR_MS);
      expect(price!.unitPricePico).toBe(BigInt(input) * 1_000_000n);
    }),
  );
  await fc.assert(property, { numRuns: 40 });
});
