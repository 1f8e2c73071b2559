/** A request that was sent to several servers, each of which may have been suspended and wake at any time. */

import { expect, test, vi } from "vitest";
import type { MeteredRequest, RequestMeter } from "../../worker/usage/metering/meter.ts";
import { fc } from "../support/random.ts";
import { counts, request, type Tab, unwrap, World } from "./support/world.ts";

async function recorded(tab: Tab): Promise<number[]> {
  return unwrap(await tab.rpc.usage({})).map(({ outputTokens }) => outputTokens);
}

/** What the server of an attempt does, in this order. Only the last attempt's response is read. */
function stepsOf(tab: Tab, metered: MeteredRequest, attempt: number): (() => Promise<unknown>)[] {
  let meter!: RequestMeter;
  const arrive = async () => {
    if (attempt > 0) await tab.reverseEarlier(metered.transactionId, attempt);
  };
  const begin = async () => {
    meter = tab.meter.begin({ ...metered, attempt });
  };
  const settle = () => meter.settle("completed", counts(100, 10 + attempt));
  return [arrive, begin, settle, ...(attempt < 2 ? [() => meter.reverseUsage()] : [])];
}

test("of three attempts, in whatever order their servers run and are suspended, the last is charged", async () => {
  const order = fc.shuffledSubarray([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2], { minLength: 11 });
  const property = fc.asyncProperty(order, async (servers) => {
    const world = new World();
    const tabs = [await world.openTab(), await world.openTab(), await world.openTab()] as const;
    const metered = request({ stream: false });
    const steps = tabs.map((tab, attempt) => stepsOf(tab, metered, attempt));
    for (const server of servers) {
      await steps[server]!.shift()!();
      world.clock.advance(1_000);
    }
    expect(await recorded(tabs[0])).toEqual([12]);
    expect(unwrap(await tabs[0].rpc.verify())).toMatchObject({ ok: true });
  });
  await fc.assert(property, { numRuns: 30 });
});

test("a server that ends while it records a resent request leaves what is recorded for it, or replaces it", async () => {
  const world = new World();
  const [old, next] = [await world.openTab(), await world.openTab()];
  const metered = request({ stream: false });
  const meter = next.meter.begin({ ...metered, attempt: 1 });
  await old.meter.begin(metered).settle("completed", counts(100, 10));
  const put = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  await meter.settle("completed", counts(100, 11));
  put.mockRestore();
  expect(await recorded(old)).toEqual([10]);
  next.close();
  await old.meter.begin({ ...metered, attempt: 2 }).settle("completed", counts(100, 12));
  expect(await recorded(old)).toEqual([12]);
  expect(unwrap(await old.rpc.verify())).toMatchObject({ ok: true });
});

test("nothing stays of an earlier attempt if the last is free", async () => {
  const world = new World();
  const [old, next] = [await world.openTab(), await world.openTab()];
  const metered = request({ stream: false });
  const meter = next.meter.begin({ ...metered, attempt: 1 });
  await old.meter.begin(metered).settle("completed", counts(100, 10));
  await meter.settle("aborted", counts(100, 5));
  expect(await recorded(old)).toEqual([]);
});

test("what one server could not record of several attempts is recorded for the last", async () => {
  const tab = await new World().openTab();
  const metered = request({ stream: false });
  const put = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  for (const attempt of [1, 0]) {
    await tab.meter.begin({ ...metered, attempt }).settle("completed", counts(100, 10 + attempt));
  }
  put.mockRestore();
  await tab.runMaintenance();
  expect(await recorded(tab)).toEqual([11]);
});

test("an invoice that closed meanwhile keeps the earlier attempt, and the last is not charged again", async () => {
  const world = new World({ skipsClockCheck: true });
  const tab = await world.openTab();
  const metered = request({ stream: false });
  await tab.meter.begin(metered).settle("completed", counts(100, 10));
  world.clock.advance(28 * 86_400_000);
  unwrap(await tab.rpc.closeDuePeriods());
  await tab.meter.begin({ ...metered, attempt: 1 }).settle("completed", counts(100, 11));
  expect(await recorded(tab)).toEqual([10]);
});
