/** Corrupted rows of keys and their counters: no request fails or hangs, and no other key is affected. */

import { openDB } from "idb";
import { expect, test } from "vitest";
import { unwrap } from "../../ledger/support/world.ts";
import { CHAT, hello, type KeyedTab, Origin } from "../../support/keyed-app.ts";

// biome-ignore lint/suspicious/noExplicitAny: rows of any form
type Row = any;

async function spoil(origin: Origin, store: "keys" | "usage", id: string, change: (row: Row) => Row) {
  const database = await openDB(`${origin.name}-accounts`);
  await database.put(store, change(await database.get(store, id)));
  database.close();
}

const ask = async (tab: KeyedTab, apiKey: string, body: object = hello) => {
  const response = await tab.send(apiKey, CHAT, body);
  return { status: response.status, text: await response.text() };
};
const usageOf = async (tab: KeyedTab, id: string) =>
  unwrap(await tab.keys.list()).find((key) => key.id === id)!.usage;

test.each<[string, (row: Row) => Row]>([
  ["the day's money", (row) => ({ ...row, day: { ...row.day, pico: "oops" } })],
  ["the month's money", (row) => ({ ...row, month: { ...row.month, pico: 5 } })],
  ["the day", (row) => ({ ...row, day: null })],
  ["the minute", (row) => ({ ...row, slots: "many" })],
  ["a second", (row) => ({ ...row, slots: [null, { second: "one" }] })],
  ["what runs", (row) => ({ ...row, active: [{ id: 1 }] })],
  ["other days", (row) => ({ ...row, other_days: [{ start_ms: 0, tokens: 1, pico: null }] })],
  ["everything", ({ access_key }) => ({ access_key })],
])("requests of a key are answered and counted although %s of its usage is spoiled", async (_, change) => {
  const origin = new Origin();
  const tab = await origin.openTab();
  const { apiKey, key } = await tab.create({ limits: { tokensPerDay: 1000, usdPerMonth: 1 } });
  await ask(tab, apiKey);
  await spoil(origin, "usage", key.id, change);
  expect(unwrap(await tab.keys.list()).map(({ id }) => id)).toEqual([key.id]);
  const before = await usageOf(tab, key.id);
  expect((await ask(tab, apiKey)).status).toBe(200);
  expect((await ask(tab, apiKey, { ...hello, stream: true })).text).toContain("[DONE]");
  const after = await usageOf(tab, key.id);
  expect(after.activeRequests).toBe(0);
  expect(after.today.tokens).toBeGreaterThan(before.today.tokens);
  expect(after.month.usd).toBeGreaterThan(before.month.usd);
});

test("a token quota holds even if the stored amount of money is invalid", async () => {
  const origin = new Origin();
  const tab = await origin.openTab();
  const { apiKey, key } = await tab.create({ limits: { tokensPerDay: 200 } });
  await spoil(origin, "usage", key.id, () => {
    const now = Date.UTC(2026, 2, 10);
    const day = { start_ms: now, tokens: 200, pico: "oops" };
    return { access_key: key.id, slots: [], active: [], day, month: day };
  });
  expect((await ask(tab, apiKey)).status).toBe(429);
});

test.each<[string, (row: Row) => Row]>([
  ["limits", (row) => ({ ...row, limits: { pico_per_day: "lots" } })],
  ["limits", (row) => ({ ...row, limits: null })],
  ["scopes", (row) => ({ ...row, models: 5 })],
  ["end", (row) => ({ ...row, expires_ms: "never" })],
  ["start", (row) => ({ ...row, created_ms: 1e300 })],
  ["account", (row) => ({ ...row, account: {} })],
  ["salt", (row) => ({ ...row, salt: undefined })],
])("a key whose %s are spoiled is refused, and the others are not", async (_, change) => {
  const origin = new Origin();
  const tab = await origin.openTab();
  const bad = await tab.create();
  const good = await tab.create();
  await spoil(origin, "keys", bad.key.id, change);
  expect((await ask(tab, bad.apiKey)).status).toBe(401);
  expect((await ask(tab, good.apiKey)).status).toBe(200);
  expect(unwrap(await tab.keys.list()).map(({ id }) => id)).toEqual([good.key.id]);
});
