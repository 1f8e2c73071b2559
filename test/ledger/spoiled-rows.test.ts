/** Corrupted rows: which ones are rebuilt, and which results never depend on them. */

import { expect, test } from "vitest";
import type { StoreName } from "../../worker/usage/ledger/schema.ts";
import { fixture, type Tab, unwrap, use, World } from "./support/world.ts";

const INVOICES = "/v1/billing/invoices";
const JANUARY = "inv_202501_0_default";
const TOLD = { type: "ledger", state: "row_quarantined", code: "ledger_row_quarantined" };

// biome-ignore lint/suspicious/noExplicitAny: rows of any form
type Row = any;

/** Changes every row of a store. */
function spoil(tab: Tab, store: Exclude<StoreName, "meta">, change: (row: Row) => Row): Promise<void> {
  return tab.database!.write([store], async (all) => {
    for (const row of await all.objectStore(store).getAll())
      await all.objectStore(store as "events").put(change(row));
  });
}

function putMeta(tab: Tab, key: string, value: unknown): Promise<void> {
  return tab.database!.write(["meta"], async (all) => {
    await all.objectStore("meta").put(value as never, key);
  });
}

const invoicesOf = async (tab: Tab) => {
  const { status, body } = await tab.get(INVOICES);
  expect(status).toBe(200);
  return body.invoices;
};

/** January is closed and used part of a credit; February is open. */
async function closedJanuary() {
  const made = await fixture({ skipsClockCheck: true, now: "2025-01-20T00:00:00Z" });
  unwrap(await made.tab.rpc.grantCredit({ amountUsd: "0.0001", note: "welcome" }));
  made.clock.set("2025-02-10T15:20:00Z");
  expect((await invoicesOf(made.tab))[0]).toMatchObject({ id: JANUARY, status: "FINALIZED" });
  return made;
}

test("a roll-up is made again from its events by rebuild", async () => {
  const tab = await new World().openTab();
  await use(tab, 1000, 500);
  const before = await invoicesOf(tab);
  await spoil(tab, "rollups", (row) => ({ ...row, quantity: "many" }));
  expect(await invoicesOf(tab)).toEqual([]);
  const found = unwrap(await tab.rpc.rebuild());
  expect(found).toMatchObject({ ok: false, quarantined: 2 });
  expect(found.differences.map(({ expected }) => expected).sort((a, b) => a - b)).toEqual([500, 1000]);
  expect(unwrap(await tab.rpc.verify()).ok).toBe(true);
  expect(await invoicesOf(tab)).toEqual(before);
});

test("a roll-up that the next request would add to is set aside by its booking", async () => {
  const tab = await new World().openTab();
  await use(tab, 1000, 500);
  await spoil(tab, "rollups", (row) => ({ ...row, quantity: null }));
  expect(tab.events).not.toContainEqual(TOLD);
  await use(tab, 1, 2);
  expect(tab.events).toContainEqual(TOLD);
  expect(unwrap(await tab.rpc.verify())).toMatchObject({ ok: false, quarantined: 2 });
  unwrap(await tab.rpc.rebuild());
  const { line_items } = (await tab.get(`${INVOICES}/current`)).body;
  expect(line_items.map((line: { quantity: number }) => line.quantity)).toEqual([1001, 502]);
});

test.each([
  ["its total", { total_pico: Number.NaN }],
  ["its lines", { lines: "none" }],
  ["its period", { period_start_ms: 5 }],
  ["its account", { account: {} }],
])("a closed month whose invoice has lost %s is listed again after rebuild, as it was", async (_, change) => {
  const { tab } = await closedJanuary();
  const before = await invoicesOf(tab);
  await spoil(tab, "invoices", (row) => ({ ...row, ...change }));
  expect((await invoicesOf(tab)).map((one: Row) => one.id)).toEqual(["inv_202502_0_default"]);
  const missing = { ok: false, differences: [{ key: JANUARY, expected: 1, found: 0 }], quarantined: 1 };
  expect(unwrap(await tab.rpc.verify())).toEqual(missing);
  expect(unwrap(await tab.rpc.rebuild())).toEqual(missing);
  expect(await invoicesOf(tab)).toEqual(before);
  expect(unwrap(await tab.rpc.verify())).toEqual({ ok: true, differences: [], quarantined: 1 });
});

test.each(["text", null, { open_from_ms: Number.NaN, events_from_ms: 0 }, { open_from_ms: 8.64e15 }])(
  "what is closed stays closed where its mark is %j",
  async (value) => {
    const { tab } = await closedJanuary();
    const before = await invoicesOf(tab);
    await putMeta(tab, "account:default", value);
    expect(await invoicesOf(tab)).toEqual(before);
    const late = await use(tab, 3, 3);
    expect(unwrap(await tab.rpc.usage()).at(-1)).toMatchObject({ transactionId: late.transactionId });
    expect(unwrap(await tab.rpc.verify())).toEqual({ ok: true, differences: [], quarantined: 1 });
    expect((await invoicesOf(tab))[0]).toEqual(before[0]);
  },
);

test("a row in the place of a month's invoice keeps the month from nothing", async () => {
  const { tab, clock } = await fixture({ skipsClockCheck: true, now: "2025-01-20T00:00:00Z" });
  const place = { account: "default", type: "USAGE", period_start_ms: Date.UTC(2025, 0, 1), revision: 0 };
  await tab.database!.write(["invoices"], async (all) => {
    await all.objectStore("invoices").put({ ...place, id: "squatter" } as never);
    await all.objectStore("invoices").put({ id: JANUARY, account: 5 } as never);
  });
  clock.set("2025-02-10T15:20:00Z");
  expect((await invoicesOf(tab))[0]).toMatchObject({ id: JANUARY, status: "FINALIZED" });
  expect(unwrap(await tab.rpc.verify())).toEqual({ ok: true, differences: [], quarantined: 2 });
});

test("a month closes by the clock although the note of its evenness is spoiled", async () => {
  const { tab, clock } = await fixture();
  for (let minutes = 0; minutes < 12; minutes++) {
    await putMeta(tab, "clock-trust", { period_start_ms: Date.UTC(2025, 1, 1), trusted_ms: "long" });
    clock.advance(50_000);
    await invoicesOf(tab);
  }
  clock.advance(50_000);
  await invoicesOf(tab);
  expect(await tab.database!.read(["invoices"], (all) => all.objectStore("invoices").count())).toBe(1);
});

test("an account's row is repaired: what of it is whole stays", async () => {
  const { tab } = await fixture();
  await spoil(tab, "accounts", (row) => ({ ...row, name: "Kept", created_ms: "long ago", billing: 1 }));
  expect((await tab.get(INVOICES)).status).toBe(200);
  await tab.runMaintenance();
  expect(tab.events).toContainEqual(TOLD);
  const rows = await tab.database!.read(["accounts"], (all) => all.objectStore("accounts").getAll());
  expect(rows).toEqual([{ id: "default", name: "Kept", created_ms: 0, billing: true }]);
});

test("the hourly housekeeping sets aside what reads pass over", async () => {
  const { tab } = await fixture();
  await spoil(tab, "rates", (row) => ({ ...row, unit_price_pico: "1e3" }));
  const { length } = await tab.database!.read(["rates"], (all) => all.objectStore("rates").getAllKeys());
  await tab.runMaintenance();
  expect(tab.events).toContainEqual(TOLD);
  expect(unwrap(await tab.rpc.verify()).quarantined).toBe(length);
});

test("no call of the page writes a row that cannot be billed", async () => {
  const { tab } = await closedJanuary();
  const rate = { product: "text-input-tokens", model: "m", price: "1", effectiveAt: "2025-03-01T00:00:00Z" };
  const page = tab.rpc as unknown as Record<string, (...values: unknown[]) => Promise<unknown>>;
  const calls: [string, ...unknown[]][] = [
    ["grantCredit", { amountUsd: 1, note: 5 }],
    ["grantCredit", { amountUsd: 1, startsAt: "9999-12-31T00:00:00Z" }],
    ["scheduleRate", { ...rate, note: {} }],
    ["scheduleRate", { ...rate, model: 5 }],
    ["scheduleRate", { ...rate, effectiveAt: "9999-12-31T23:00:00Z" }],
    ["voidInvoice", JANUARY, 5],
  ];
  for (const [name, ...values] of calls)
    expect(await page[name]!(...values), name).toMatchObject({ error: { code: "invalid_argument" } });
  expect(unwrap(await tab.rpc.verify())).toEqual({ ok: true, differences: [] });
});

test.each([
  ["time_ms", 8.64e15],
  ["occurred_ms", Date.UTC(10_000, 0)],
  ["output_tokens", 1e300],
])("a backup whose %s is %d is refused by its line", async (field, value) => {
  const { tab } = await fixture();
  const backup = await unwrap(await tab.rpc.exportUsage({ format: "backup" })).text();
  const lines = backup.split("\n").filter((line) => line.includes('"store":"events"'));
  const { store, row } = JSON.parse(lines[1]!);
  const text = [lines[0], JSON.stringify({ store, row: { ...row, [field]: value } })].join("\n");
  expect(await tab.rpc.importUsage(text)).toMatchObject({
    error: { code: "invalid_argument", message: "Line 2 is not a valid line of a backup." },
  });
});
