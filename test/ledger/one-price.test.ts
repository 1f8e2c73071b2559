/** A model has one price under all its names, in invoices and in the rate card. */

import { expect, test } from "vitest";
import { type Tab, unwrap, use, World } from "./support/world.ts";

const EMBEDDINGS = "/v1/embeddings";
const NAMES = ["infetch-all-minilm-l6-v2", "Xenova/all-MiniLM-L6-v2", "mine"];
const aliases = (model: string) => (NAMES.includes(model) ? NAMES.filter((name) => name !== model) : []);

async function current(tab: Tab) {
  return (await tab.get("/v1/billing/invoices/current")).body;
}

async function pricesIn(tab: Tab): Promise<Record<string, number>> {
  const { line_items } = await current(tab);
  return Object.fromEntries(
    line_items.map((line: never) => {
      const {
        presentation_group_values: shown,
        pricing_group_values: groups,
        unit_price,
      } = line as {
        presentation_group_values: { model: string };
        pricing_group_values: { tier: string };
        unit_price: number;
      };
      return [`${shown.model} ${groups.tier}`, unit_price];
    }),
  );
}

async function useAll(tab: Tab, tiers: readonly ("serverless" | "batch")[] = ["serverless", "batch"]) {
  for (const model of NAMES) {
    for (const tier of tiers) await use(tab, 100, 0, { endpoint: EMBEDDINGS, model, tier });
  }
}

test("by default, and batches cost exactly half of it", async () => {
  const tab = await new World({ pricing: "default", aliases }).openTab();
  await useAll(tab);
  expect(await pricesIn(tab)).toEqual(
    Object.fromEntries(
      NAMES.flatMap((name) => [
        [`${name} serverless`, 2e-8],
        [`${name} batch`, 1e-8],
      ]),
    ),
  );
});

test("a price that moves to another name of the model stays its price", async () => {
  const world = new World({ pricing: { [NAMES[1]!]: { embedding: "0.5" } }, aliases });
  await useAll(await world.openTab());
  Object.assign(world.options, { pricing: { [NAMES[0]!]: { embedding: "0.5" } } });
  const tab = await world.openTab();
  world.clock.set("2025-02-12T00:00:00Z");
  await useAll(tab);
  for (const [name, price] of Object.entries(await pricesIn(tab))) {
    expect([name, price]).toEqual([name, name.endsWith("batch") ? 2.5e-7 : 5e-7]);
  }
});

test("a serverless price of embeddings that is scheduled brings half of it for batches", async () => {
  const world = new World({ pricing: "default", aliases });
  const tab = await world.openTab();
  await useAll(tab);
  const change = { product: "embedding-input-tokens", model: NAMES[0]!, effectiveAt: "2025-02-11T00:00:00Z" };
  unwrap(await tab.rpc.scheduleRate({ ...change, price: "0.06" } as never));
  const odd = await tab.rpc.scheduleRate({ ...change, model: "odd", price: "0.000001" } as never);
  expect(odd).toMatchObject({ ok: false, error: { code: "invalid_argument" } });
  world.clock.set("2025-02-11T01:00:00Z");
  await useAll(tab);
  const { line_items } = await current(tab);
  const after = line_items.filter(({ starting_at }: { starting_at: string }) => starting_at >= "2025-02-11");
  const named = after.map(
    (line: { pricing_group_values: { tier: string }; unit_price: number }) =>
      `${line.pricing_group_values.tier} ${line.unit_price}`,
  );
  expect(new Set(named)).toEqual(new Set(["serverless 6e-8", "batch 3e-8"]));
  expect(named).toHaveLength(6);
});

test("a used ledger from before there were classes opens, and what it has recorded keeps its price", async () => {
  const world = new World({ pricing: { "infetch-tiny": { input: "0.05" } } });
  const old = await world.openTab();
  await use(old, 100, 10, { model: "infetch-qwen3-0.6b" });
  Object.assign(world.options, { pricing: "default" });
  world.clock.set("2025-02-10T15:40:00Z");
  const tab = await world.openTab();
  expect(await current(tab)).toMatchObject({ total: 0, billable_status: "unbillable" });
  world.clock.set("2025-02-10T16:00:00Z");
  await use(tab, 100, 10, { model: "infetch-qwen3-0.6b" });
  expect(await current(tab)).toMatchObject({ total: 0.000007, billable_status: "billable" });
});

test("an invoice without a price on any line is unbillable, one that a credit pays is billable", async () => {
  const tab = await new World({ pricing: { other: { input: "1" } } }).openTab();
  await use(tab, 10, 5);
  expect(await current(tab)).toMatchObject({ total: 0, billable_status: "unbillable" });
  unwrap(await tab.rpc.grantCredit({ amountUsd: 1 }));
  await use(tab, 10, 5, { model: "other" });
  expect(await current(tab)).toMatchObject({ total: 0, billable_status: "billable" });
});
