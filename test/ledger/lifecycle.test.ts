/** Closing, voiding and re-issuing invoices, voided events, retention and schema upgrades. */

import { expect, test, vi } from "vitest";
import { LedgerDatabase } from "../../worker/usage/ledger/database.ts";
import { dropOldEvents } from "../../worker/usage/ledger/retention.ts";
import { MIGRATIONS } from "../../worker/usage/ledger/schema.ts";
import { breakdowns, fixture, type Tab, unwrap, use, World } from "./support/world.ts";

const INVOICES = "/v1/billing/invoices";
const JANUARY = "inv_202501_0_default";
const frozenCount = (tab: Tab) =>
  tab.database!.read(["invoices"], (all) => all.objectStore("invoices").count());

test("a period closes at once by an explicit call, and by itself only when the clock is trusted", async () => {
  const { tab, get } = await fixture();
  await get(INVOICES);
  expect(await frozenCount(tab)).toBe(0);
  expect(unwrap(await tab.rpc.closeDuePeriods())).toMatchObject([{ id: JANUARY, status: "FINALIZED" }]);
  expect(unwrap(await tab.rpc.closeDuePeriods())).toEqual([]);
  const trusted = await fixture({ skipsClockCheck: true });
  await trusted.get(INVOICES);
  expect(await frozenCount(trusted.tab)).toBe(1);
});

test("a re-issue keeps the numbers, gets the next revision, and is issued when it is made", async () => {
  const { world, tab, get } = await fixture();
  const original = (await get(`${INVOICES}/${JANUARY}`)).body;
  unwrap(await tab.rpc.voidInvoice(JANUARY, "wrong customer"));
  world.clock.set("2025-02-11T00:00:00Z");
  const again = unwrap(await tab.rpc.regenerateInvoice(JANUARY));
  expect(again).toEqual({ ...original, id: "inv_202501_1_default", issued_at: "2025-02-11T00:00:00Z" });
  const { invoices } = (await get(`${INVOICES}?starting_on=2025-01-01T00:00:00Z`)).body;
  expect(invoices.map((one: { id: string; status: string }) => [one.id, one.status])).toEqual([
    [JANUARY, "VOID"],
    ["inv_202501_1_default", "FINALIZED"],
    ["inv_202502_0_default", "DRAFT"],
  ]);
  const item = (await get(breakdowns("2025-01-03", "2025-01-04", { status: "FINALIZED" }))).body.breakdowns;
  expect(item).toHaveLength(1);
});

test("grace keeps last month a draft beside the current one", async () => {
  const world = new World({ now: "2025-01-20T00:00:00Z", graceMs: 3_600_000, skipsClockCheck: true });
  const tab = await world.openTab();
  await use(tab, 1, 1);
  world.clock.set("2025-02-01T00:30:00Z");
  await use(tab, 2, 2);
  const statuses = async () =>
    (await tab.get(INVOICES)).body.invoices.map((one: { id: string; status: string }) => one.status);
  expect(await statuses()).toEqual(["DRAFT", "DRAFT"]);
  expect((await tab.get(`${INVOICES}/current`)).body.id).toBe("inv_202502_0_default");
  world.clock.set("2025-02-01T01:00:00Z");
  expect(await statuses()).toEqual(["FINALIZED", "DRAFT"]);
});

test("an event is voided in an open period only, once, and its id stays used", async () => {
  const { tab, get } = await fixture();
  const events = unwrap(await tab.rpc.usage({}));
  const february = events.find((event) => event.inputTokens === 100)!;
  const january = events.find((event) => event.inputTokens === 1000)!;
  expect(unwrap(await tab.rpc.voidEvent(february.transactionId)).voided).toBe(true);
  expect((await get(`${INVOICES}/current`)).body.total).toBe(0.000005);
  expect(unwrap(await tab.rpc.verify()).ok).toBe(true);
  for (const [id, code] of [
    [february.transactionId, "invalid_transition"],
    [january.transactionId, "invalid_transition"],
    ["unknown", "event_not_found"],
  ] as const) {
    expect(await tab.rpc.voidEvent(id)).toMatchObject({ ok: false, error: { code } });
  }
  await use(tab, 100, 50, { transactionId: february.transactionId });
  expect((await get(`${INVOICES}/current`)).body.total).toBe(0.000005);
});

test("events go ninety days after their month froze; invoices and windows stay as they were", async () => {
  const { world, tab, get } = await fixture();
  unwrap(await tab.rpc.closeDuePeriods());
  const before = (await get(breakdowns("2025-01-01", "2025-02-01", { limit: "31" }))).body;
  world.clock.set("2025-05-11T15:19:59Z");
  expect(await dropOldEvents(tab.database!, "default", world.clock.now())).toBe(0);
  world.clock.set("2025-05-11T15:20:00Z");
  expect(await dropOldEvents(tab.database!, "default", world.clock.now())).toBe(2);
  expect(await dropOldEvents(tab.database!, "default", world.clock.now())).toBe(0);
  expect(unwrap(await tab.rpc.usage({}))).toHaveLength(2);
  expect(unwrap(await tab.rpc.verify()).ok).toBe(true);
  expect(unwrap(await tab.rpc.rebuild()).ok).toBe(true);
  expect((await get(breakdowns("2025-01-01", "2025-02-01", { limit: "31" }))).body).toEqual(before);
});

test("a retention that is interrupted loses no sums, and the next one goes on where it ended", async () => {
  const world = new World({ now: "2025-01-10T10:00:00Z" });
  const tab = await world.openTab();
  await Promise.all(Array.from({ length: 700 }, () => use(tab, 10, 10)));
  world.clock.set("2025-02-10T00:00:00Z");
  unwrap(await tab.rpc.closeDuePeriods());
  world.clock.set("2025-06-10T00:00:00Z");
  const january = async () => (await tab.get(breakdowns("2025-01-01", "2025-02-01"))).body;
  const before = await january();
  const database = tab.database!;
  const write = vi.spyOn(database, "write");
  let writes = 0;
  write.mockImplementation((...of) =>
    ++writes === 2 ? Promise.reject(new Error("killed")) : LedgerDatabase.prototype.write.apply(database, of),
  );
  await expect(dropOldEvents(database, "default", world.clock.now())).rejects.toThrow("killed");
  write.mockRestore();
  expect(unwrap(await tab.rpc.usage({}))).toHaveLength(200);
  expect(unwrap(await tab.rpc.verify()).ok).toBe(true);
  unwrap(await tab.rpc.rebuild());
  expect(await january()).toEqual(before);
  expect(await dropOldEvents(database, "default", world.clock.now())).toBe(200);
  expect(await january()).toEqual(before);
});

test("a clock that is wrong for one maintenance run deletes no event; one that is even does", async () => {
  const { world, tab } = await fixture();
  unwrap(await tab.rpc.closeDuePeriods());
  world.clock.set("2035-02-10T15:20:00Z");
  const visitor = await world.openTab();
  await visitor.runMaintenance();
  world.clock.set("2025-05-12T15:20:00Z");
  await tab.runMaintenance();
  expect(unwrap(await tab.rpc.usage({}))).toHaveLength(4);
  world.clock.advance(11 * 60_000);
  await tab.runMaintenance();
  expect(unwrap(await tab.rpc.usage({}))).toHaveLength(2);
});

test("an upgrade keeps every row, and an older tab makes way for it", async () => {
  const { world, tab } = await fixture();
  const newer = new LedgerDatabase({
    name: world.name,
    migrations: [...MIGRATIONS, ({ db }) => void db.createObjectStore("later" as never)],
  });
  const events = await newer.read(["events"], (all) => all.objectStore("events").getAll());
  expect(events).toHaveLength(4);
  // Older code cannot open the newer ledger: it reports the error, and inference continues.
  expect((await tab.get(INVOICES)).status).toBe(502);
  await use(tab, 1, 1);
  expect(tab.events.at(-1)).toMatchObject({ state: "write_failed" });
  await newer.close();
});

test("a database that another tab keeps busy is reported as blocked, and used once it is free", async () => {
  const name = "kept-busy";
  const old = new LedgerDatabase({ name });
  await old.read(["events"], (all) => all.objectStore("events").count());
  await old.close();
  const holder = await new Promise<IDBDatabase>((resolve) => {
    const request = indexedDB.open(`${name}-ledger`);
    request.onsuccess = () => resolve(request.result);
  });
  const database = new LedgerDatabase({ name, migrations: [...MIGRATIONS, () => {}], openLimitMs: 20 });
  const read = () => database.read(["events"], (all) => all.objectStore("events").count());
  await expect(read()).rejects.toMatchObject({ code: "ledger_blocked" });
  await expect(read()).rejects.toMatchObject({ code: "ledger_blocked" });
  holder.close();
  await expect.poll(() => read().catch((error) => error.code)).toBe(0);
});
