/** Billing edge cases 77 to 90: clocks, prices, keys and ledger failures. */

import { afterEach, expect, test, vi } from "vitest";
import { BREAKDOWNS, counts, fixture, request, type Tab, unwrap, use, World } from "./support/world.ts";

const INVOICES = "/v1/billing/invoices";
const JANUARY = "inv_202501_0_default";

afterEach(() => vi.restoreAllMocks());

test("77: an orphan of a month that is due is recovered before the month closes", async () => {
  const world = new World({ now: "2025-01-31T12:00:00Z" });
  const killed = await world.openTab();
  const meter = killed.meter.begin(request());
  meter.checkpoint(counts(10, 64));
  const inflight = () => killed.database!.read(["inflight"], (all) => all.objectStore("inflight").count());
  await expect.poll(inflight).toBe(1);
  killed.agent.die();
  world.clock.set("2025-03-01T00:00:00Z");
  const tab = await world.openTab();
  const closed = unwrap(await tab.rpc.closeDuePeriods());
  expect(closed).toMatchObject([{ id: JANUARY, total: 10 * 5e-8 + 64 * 2e-7 }]);
});

test("78: the clock is set back into a frozen month", async () => {
  const { world, tab, get } = await fixture();
  unwrap(await tab.rpc.closeDuePeriods());
  const frozen = (await get(`${INVOICES}/${JANUARY}`)).body;
  world.clock.set("2025-01-15T00:00:00Z");
  await use(tab, 1000, 0);
  expect((await get(`${INVOICES}/${JANUARY}`)).body).toEqual(frozen);
  const { body } = await get(`${INVOICES}/current`);
  expect([body.id, body.line_items[0].quantity]).toEqual(["inv_202502_0_default", 1020]);
  const [event] = unwrap(await tab.rpc.usage({ to: "2025-02-01T00:00:00.001Z" })).slice(-1);
  expect(event).toMatchObject({ inputTokens: 1000, time: "2025-02-01T00:00:00Z" });
});

test("79: a clock ten years ahead for five minutes", async () => {
  const { world, tab, get } = await fixture();
  const before = (await get(INVOICES)).body.invoices;
  world.clock.set("2035-02-10T15:20:00Z");
  for (let minute = 0; minute < 5; minute++) {
    world.clock.advance(60_000);
    await get(INVOICES);
  }
  await use(tab, 5, 5);
  world.clock.set("2025-02-10T15:30:00Z");
  const stored = await tab.database!.read(["invoices"], (all) => all.objectStore("invoices").count());
  expect(stored).toBe(0);
  const after = (await get(INVOICES)).body.invoices;
  expect(after.slice(0, 2)).toEqual(before);
  expect(after[2]).toMatchObject({ id: "inv_203502_0_default", status: "DRAFT" });
});

test("79: an even clock is trusted after ten minutes, over several visits", async () => {
  const { world, tab, get } = await fixture();
  const frozen = () => tab.database!.read(["invoices"], (all) => all.objectStore("invoices").count());
  await get(INVOICES);
  for (let visit = 0; visit < 3; visit++) {
    expect(await frozen()).toBe(0);
    const visitor = await world.openTab();
    world.clock.advance(200_000);
    await visitor.get(INVOICES);
    visitor.close();
  }
  world.clock.advance(1_000);
  await get(INVOICES);
  expect(await frozen()).toBe(1);
});

test("80: asleep over the month edge: settled at wake-up, in the new month", async () => {
  const world = new World({ now: "2025-01-31T23:50:00Z" });
  const tab = await world.openTab();
  const meter = tab.meter.begin(request());
  meter.checkpoint(counts(10, 5));
  world.clock.set("2025-02-01T08:00:00Z");
  await meter.settle("completed", counts(10, 6));
  expect((await tab.get(INVOICES)).body.invoices).toMatchObject([{ id: "inv_202502_0_default" }]);
});

test("81: two tabs close January together", async () => {
  const { world, tab } = await fixture();
  const other = await world.openTab();
  const closed = await Promise.all([tab.rpc.closeDuePeriods(), other.rpc.closeDuePeriods()]);
  expect(closed.flatMap(unwrap)).toHaveLength(1);
  const texts = await Promise.all(
    [tab, other].map(async (one) => JSON.stringify((await one.get(INVOICES)).body)),
  );
  expect(texts[0]).toBe(texts[1]);
});

test("81: a tab that the browser suspends as it closes January stops no other", async () => {
  const { world, tab } = await fixture();
  const suspended = await world.openTab();
  const begun = new Promise<void>((begin) => {
    suspended.database!.write = () => {
      begin();
      return new Promise(() => {});
    };
  });
  void suspended.rpc.closeDuePeriods();
  await begun;
  expect(unwrap(await tab.rpc.closeDuePeriods())).toHaveLength(1);
});

test("82: prices for the past, for hours with usage, within an hour, or not exact", async () => {
  const { tab } = await fixture();
  const change = { product: "text-output-tokens", model: "m", price: "0.3" } as const;
  const codeOf = async (effectiveAt: string, price: string = change.price) => {
    const result = await tab.rpc.scheduleRate({ ...change, price, effectiveAt });
    return result.ok ? "ok" : result.error.code;
  };
  expect(await codeOf("2025-02-09T00:00:00Z")).toBe("invalid_rate");
  expect(await codeOf("2025-02-10T15:00:00Z")).toBe("invalid_rate");
  expect(await codeOf("2025-02-10T16:00:01Z")).toBe("invalid_rate");
  expect(await codeOf("2025-02-10T16:00:00Z", "0.0000001")).toBe("invalid_argument");
  expect(await codeOf("2025-02-10T16:00:00Z")).toBe("ok");
  expect(await codeOf("2025-02-10T16:00:00Z", "0.4")).toBe("invalid_rate");
});

test("83: a model without a rate is metered at 0", async () => {
  const tab = await new World().openTab();
  await use(tab, 10, 5, { model: "unknown" });
  const { body } = await tab.get(`${INVOICES}/current`);
  expect(body.total).toBe(0);
  expect(body.line_items).toMatchObject([
    { quantity: 10, unit_price: 0, total: 0 },
    { quantity: 5, unit_price: 0, total: 0 },
  ]);
});

test.each([
  [{ authorization: "none" }, 401],
  [{ authorization: "Basic abc" }, 401],
  [{ authorization: "bearer x-y-z" }, 401],
  [{ authorization: "Bearer  " }, 401],
])("84: %o", async (headers, expected) => {
  const { tab } = await fixture();
  const { status, error } = await tab.call(INVOICES, { headers });
  expect([status, error.type]).toEqual([expected, "authentication_error"]);
});

test("84: a lower-case scheme with the right key", async () => {
  const { tab } = await fixture();
  expect((await tab.call(INVOICES, { headers: { authorization: `bearer ${tab.apiKey}` } })).status).toBe(200);
});

test("85: too few parts, and a wrong secret", async () => {
  const { tab } = await fixture();
  for (const key of ["infetch-abc", `${tab.apiKey}x`, "other-a-b"]) {
    const { status, error } = await tab.call(INVOICES, { headers: { authorization: `Bearer ${key}` } });
    expect([status, error.code]).toEqual([401, "invalid_api_key"]);
  }
});

const PATHS = [INVOICES, `${INVOICES}/current`, BREAKDOWNS, `${INVOICES}/unknown`];

test.each([{ billing: false }, { billing: true }])("86: no billing %o", async (options) => {
  const tab = await new World(options).openTab();
  if (options.billing) {
    await tab.database!.write(["accounts"], async (all) => {
      const row = await all.objectStore("accounts").get("default");
      await all.objectStore("accounts").put({ ...row!, billing: false });
    });
  }
  for (const path of PATHS) {
    const { status, error } = await tab.get(path);
    expect([status, error.code, error.type]).toEqual([403, "billing_not_configured", "permission_error"]);
  }
});

/** The ledger fails but inference continues: settling resolves and emits an event. */
async function expectUnavailable(tab: Tab, code: string) {
  const paths = [INVOICES, `${INVOICES}/current`, `${INVOICES}/unknown`];
  for (const path of paths) {
    const { status, error } = await tab.get(path);
    expect([status, error.code, error.type]).toEqual([502, code, "billing_provider_error"]);
  }
  expect((await tab.get(BREAKDOWNS)).status).toBe(400);
  tab.events.length = 0;
  await use(tab, 1, 1);
  expect(tab.events).toEqual([{ type: "ledger", state: "write_failed", code }]);
}

test("87: IndexedDB is denied, and comes back", async () => {
  const tab = await new World().openTab();
  const open = vi.spyOn(indexedDB, "open").mockImplementation(() => {
    throw new DOMException("denied", "SecurityError");
  });
  await expectUnavailable(tab, "ledger_unavailable");
  open.mockRestore();
  await use(tab, 1, 1);
  expect((await tab.get(`${INVOICES}/current`)).status).toBe(200);
});

test("87: evicted in the middle of a session", async () => {
  const { tab, world } = await fixture();
  const gone = indexedDB.deleteDatabase(`${world.name}-ledger`);
  await new Promise((resolve) => {
    gone.onsuccess = resolve;
  });
  expect((await tab.get(INVOICES)).body).toEqual({ invoices: [] });
  await use(tab, 10, 10);
  expect((await tab.get(`${INVOICES}/current`)).body.line_items).toHaveLength(2);
});

test("88: a bad query and no key", async () => {
  const { tab } = await fixture();
  expect((await tab.call(BREAKDOWNS, { headers: { authorization: "none" } })).status).toBe(401);
});

test("89: a product that was not used has no line", async () => {
  const tab = await new World().openTab();
  await use(tab, 10, 0, { stream: false });
  const { body } = await tab.get(`${INVOICES}/current`);
  expect(body.line_items.map((line: { product_id: string }) => line.product_id)).toEqual([
    "text-input-tokens",
  ]);
});

test("90: one token at the smallest price", async () => {
  const tab = await new World({ pricing: { m: { input: "0.000001" } } }).openTab();
  await use(tab, 1, 0, { stream: false });
  const { body } = await tab.get(`${INVOICES}/current`);
  expect(JSON.stringify(body.total)).toBe("1e-12");
});

test.each([0, 86_400_000])(
  "a month that closes while the clock shows a year without four digits is kept: grace %i",
  async (graceMs) => {
    const world = new World({ now: "2025-02-10T15:20:00Z", skipsClockCheck: true, graceMs });
    const tab = await world.openTab();
    await use(tab, 5, 5);
    world.clock.advance(Date.UTC(12_000, 0, 1) - world.clock.now());
    expect(unwrap(await tab.rpc.closeDuePeriods())).toMatchObject([{ status: "FINALIZED" }]);
    world.clock.set("2025-03-10T00:00:00Z");
    const { invoices } = (await tab.get("/v1/billing/invoices")).body;
    expect(invoices).toMatchObject([{ id: "inv_202502_0_default", status: "FINALIZED" }]);
    expect(unwrap(await tab.rpc.verify())).toEqual({ ok: true, differences: [] });
  },
);
