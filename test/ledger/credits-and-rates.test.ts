/** Credits and the rate card over time. */

import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { fixture, unwrap, use, World } from "./support/world.ts";

const INVOICES = "/v1/billing/invoices";

interface Line {
  type: string;
  name: string;
  total: number;
}

const credits = (lines: Line[]) =>
  lines.filter((line) => line.type === "applied_commit_or_credit").map((line) => [line.name, line.total]);

test("credits pay oldest expiry first, and never more than was used", async () => {
  const { tab, get } = await fixture();
  unwrap(
    await tab.rpc.grantCredit({ amountUsd: "0.00001", expiresAt: "2025-06-01T00:00:00Z", note: "late" }),
  );
  unwrap(
    await tab.rpc.grantCredit({ amountUsd: "0.000002", expiresAt: "2025-03-01T00:00:00Z", note: "soon" }),
  );
  unwrap(await tab.rpc.grantCredit({ amountUsd: 1 }));
  const { body } = await get(`${INVOICES}/current`);
  expect(credits(body.line_items)).toEqual([
    ["Credit – soon", -0.000002],
    ["Credit – late", -0.00001],
    ["Credit", -0.000013],
  ]);
  expect([body.subtotal, body.total]).toEqual([0.000025, 0]);
  const left = unwrap(await tab.rpc.credits()).map((credit) => credit.remainingUsd);
  expect(left.sort()).toEqual([0, 0, 0.999987]);
});

test("a credit that is granted while credits are listed has its whole balance", async () => {
  const tab = await new World().openTab();
  for (let turns = 0; turns < 10; turns++) {
    const granting = tab.rpc.grantCredit({ amountUsd: 5 });
    for (let at = 0; at < turns; at++) await turn();
    for (const { remainingUsd } of unwrap(await tab.rpc.credits())) expect(remainingUsd).toBe(5);
    unwrap(await granting);
  }
});

test("the balance of a new credit is that after the drafts, as in the list", async () => {
  const { tab } = await fixture();
  const granted = unwrap(await tab.rpc.grantCredit({ amountUsd: "0.00003" }));
  expect(granted.remainingUsd).toBe(0.000005);
  expect(unwrap(await tab.rpc.credits())).toEqual([granted]);
});

test("what one month used is gone for the next, and comes back when its invoice is voided", async () => {
  const world = new World({ now: "2025-01-10T00:00:00Z" });
  const tab = await world.openTab();
  unwrap(await tab.rpc.grantCredit({ amountUsd: "0.00003" }));
  await use(tab, 0, 100);
  world.clock.set("2025-02-10T00:00:00Z");
  await use(tab, 0, 100);
  const totals = async () =>
    (await tab.get(INVOICES)).body.invoices.map((one: { id: string; total: number }) => one.total);
  expect(await totals()).toEqual([0, 0.00001]);
  unwrap(await tab.rpc.voidInvoice("inv_202501_0_default", ""));
  expect(await totals()).toEqual([0, 0]);
  unwrap(await tab.rpc.regenerateInvoice("inv_202501_0_default"));
  expect(await totals()).toEqual([0, 0, 0.00001]);
});

test("a credit holds for the periods that it overlaps", async () => {
  const world = new World({ now: "2025-01-10T00:00:00Z" });
  const tab = await world.openTab();
  unwrap(
    await tab.rpc.grantCredit({
      amountUsd: 1,
      startsAt: "2025-02-01T00:00:00Z",
      expiresAt: "2025-03-01T00:00:00Z",
    }),
  );
  for (const month of ["01", "02", "03"]) {
    world.clock.set(`2025-${month}-10T00:00:00Z`);
    await use(tab, 0, 100);
  }
  const { invoices } = (await tab.get(INVOICES)).body;
  expect(invoices.map((one: { total: number }) => one.total)).toEqual([0.00002, 0, 0.00002]);
});

test.each([
  { amountUsd: 0 },
  { amountUsd: -1 },
  { amountUsd: "0.0000000000001" },
  { amount: 1 } as never,
  { amountUsd: 1, startsAt: "2025-01-31T00:00:00Z" },
  { amountUsd: 1, startsAt: "yesterday" },
  { amountUsd: 1, startsAt: "2025-03-01T00:00:00Z", expiresAt: "2025-03-01T00:00:00Z" },
])("a credit that cannot be: %o", async (grant) => {
  const { tab } = await fixture();
  expect(await tab.rpc.grantCredit(grant)).toMatchObject({ ok: false, error: { code: "invalid_argument" } });
});

test("a changed price list holds from the first hour without usage on", async () => {
  const world = new World({ now: "2025-02-10T10:10:00Z", pricing: { m: { output: "0.2" } } });
  const before = await world.openTab();
  await use(before, 0, 10);
  Object.assign(world.options, { pricing: { m: { output: "0.4" }, n: { output: "1" } } });
  const after = await world.openTab();
  await use(after, 0, 10);
  await use(after, 0, 10, { model: "n" });
  world.clock.set("2025-02-10T11:00:00Z");
  await use(after, 0, 10);
  const lines = (await after.get(`${INVOICES}/current`)).body.line_items;
  expect(
    lines.map((line: { quantity: number; unit_price: number; starting_at: string }) => [
      line.quantity,
      line.unit_price,
      line.starting_at,
    ]),
  ).toEqual([
    [20, 2e-7, "2025-02-01T00:00:00Z"],
    [10, 4e-7, "2025-02-10T11:00:00Z"],
    [10, 0.000001, "2025-02-10T10:00:00Z"],
  ]);
});

test("without prices everything is metered and nothing is billable", async () => {
  const tab = await new World({ pricing: "none" }).openTab();
  await use(tab, 10, 5);
  const { body } = await tab.get(`${INVOICES}/current`);
  expect([body.billable_status, body.total, body.line_items.length]).toEqual(["unbillable", 0, 2]);
});

test("prices that end hold until then", async () => {
  const world = new World({ now: "2025-02-10T10:10:00Z" });
  await use(await world.openTab(), 0, 10);
  world.clock.set("2025-02-11T00:00:00Z");
  Object.assign(world.options, { pricing: "none" });
  const tab = await world.openTab();
  await use(tab, 0, 10);
  const { body } = await tab.get(`${INVOICES}/current`);
  expect(body.line_items.map((line: { unit_price: number }) => line.unit_price)).toEqual([2e-7, 0]);
});
