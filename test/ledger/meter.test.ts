/** Checkpoints, group commits, and ledger failures during requests. */

import { expect, test, vi } from "vitest";
import { counts, request, type Tab, unwrap, use, World } from "./support/world.ts";

async function inflightTokens(tab: Tab): Promise<number | undefined> {
  const [row] = await tab.database!.read(["inflight"], (all) => all.objectStore("inflight").getAll());
  return row?.output_tokens;
}

test("a checkpoint is written every 32 tokens, or after a second", async () => {
  const world = new World();
  const tab = await world.openTab();
  const meter = tab.meter.begin(request());
  for (let at = 1; at <= 31; at++) meter.checkpoint(counts(10, at));
  expect(await inflightTokens(tab)).toBeUndefined();
  meter.checkpoint(counts(10, 32));
  await expect.poll(() => inflightTokens(tab)).toBe(32);
  meter.checkpoint(counts(10, 33));
  world.clock.advance(999);
  meter.checkpoint(counts(10, 34));
  expect(await inflightTokens(tab)).toBe(32);
  world.clock.advance(1);
  meter.checkpoint(counts(10, 35));
  await expect.poll(() => inflightTokens(tab)).toBe(35);
  await meter.settle("completed", counts(10, 36));
  expect(await inflightTokens(tab)).toBeUndefined();
});

test("one checkpoint is under way at most; what comes meanwhile is in the next", async () => {
  const tab = await new World().openTab();
  await tab.get("/v1/billing/invoices");
  const put = vi.spyOn(IDBObjectStore.prototype, "put");
  const meter = tab.meter.begin(request());
  for (let at = 1; at <= 200; at++) meter.checkpoint(counts(10, at));
  await expect.poll(() => inflightTokens(tab)).toBe(200);
  const written = put.mock.calls.map(([row]) => (row as { output_tokens: number }).output_tokens);
  expect(written).toEqual([32, 200]);
  put.mockRestore();
});

test("a checkpoint that is still being written never outlives its settlement", async () => {
  const tab = await new World().openTab();
  const meter = tab.meter.begin(request());
  meter.checkpoint(counts(10, 40));
  await meter.settle("completed", counts(10, 41));
  expect(await inflightTokens(tab)).toBeUndefined();
});

test("an aborted stream of which nothing was posted leaves nothing", async () => {
  const tab = await new World().openTab();
  const meter = tab.meter.begin(request());
  meter.checkpoint(counts(10, 40));
  await meter.settle("aborted", counts(0, 0));
  expect(await inflightTokens(tab)).toBeUndefined();
  expect(unwrap(await tab.rpc.usage({}))).toEqual([]);
});

test("settles that wait share one transaction", async () => {
  const tab = await new World().openTab();
  await tab.get("/v1/billing/invoices");
  const begin = vi.spyOn(IDBDatabase.prototype, "transaction");
  await Promise.all(Array.from({ length: 20 }, () => use(tab, 1, 1)));
  expect(begin).toHaveBeenCalledTimes(2);
  begin.mockRestore();
  expect(tab.events.filter((event) => event.state === "changed")).toHaveLength(2);
  expect(unwrap(await tab.rpc.usage({}))).toHaveLength(20);
});

test("a settle that fails is tried again once, then reported; its in-flight row stays", async () => {
  const world = new World();
  const tab = await world.openTab();
  const meter = tab.meter.begin(request());
  meter.checkpoint(counts(10, 32));
  await expect.poll(() => inflightTokens(tab)).toBe(32);
  const put = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  await meter.settle("completed", counts(10, 50));
  expect(put).toHaveBeenCalledTimes(2);
  put.mockRestore();
  expect(tab.events).toEqual([{ type: "ledger", state: "write_failed", code: "ledger_unavailable" }]);
  expect(await inflightTokens(tab)).toBe(32);
  tab.close();
  const next = await world.openTab();
  await next.runMaintenance();
  expect(unwrap(await next.rpc.usage({}))).toMatchObject([{ outputTokens: 32, outcome: "interrupted" }]);
});

const fillUp = () =>
  vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });

test.each([
  ["settle", (tab: Tab) => use(tab, 1, 1)],
  ["billing read", (tab: Tab) => tab.get("/v1/billing/invoices/current")],
  ["maintenance", (tab: Tab) => tab.runMaintenance()],
])("what could not be recorded is recorded by the next %s, once, and can be reversed", async (_, next) => {
  const tab = await new World().openTab();
  const put = fillUp();
  const failed = await use(tab, 100, 10, { stream: false });
  await use(tab, 100, 20);
  put.mockRestore();
  const recorded = async () => {
    await next(tab);
    const tokens = unwrap(await tab.rpc.usage({})).map(({ outputTokens }) => outputTokens);
    return tokens.filter((one) => one > 1).sort();
  };
  expect(await recorded()).toEqual([10, 20]);
  expect(await recorded()).toEqual([10, 20]);
  expect(unwrap(await tab.rpc.verify())).toMatchObject({ ok: true });
  await tab.reverseEarlier(failed.transactionId, 1);
  expect(await recorded()).toEqual([20]);
});

test("while nothing can be recorded, a settle tries no more than its own", async () => {
  const tab = await new World().openTab();
  await use(tab, 1, 1);
  const put = fillUp();
  const reads = vi.spyOn(IDBObjectStore.prototype, "getKey");
  const readsOf = async () => {
    reads.mockClear();
    await use(tab, 100, 10, { stream: false });
    return reads.mock.calls.length;
  };
  const first = await readsOf();
  for (let at = 0; at < 9; at++) expect(await readsOf()).toBe(first);
  put.mockRestore();
  reads.mockRestore();
  await use(tab, 1, 1);
  expect(unwrap(await tab.rpc.usage({}))).toHaveLength(12);
});

test("a resent request that could not be recorded is recorded later, too", async () => {
  const tab = await new World().openTab();
  await use(tab, 1, 1);
  const begin = vi.spyOn(IDBDatabase.prototype, "transaction").mockImplementation(() => {
    throw new DOMException("broken", "UnknownError");
  });
  await use(tab, 100, 10, { stream: false, attempt: 1 });
  begin.mockRestore();
  await use(tab, 1, 2);
  const tokens = unwrap(await tab.rpc.usage({})).map(({ outputTokens }) => outputTokens);
  expect(tokens.sort((one, other) => one - other)).toEqual([1, 2, 10]);
});

test("what could not be recorded and is reversed meanwhile is never recorded", async () => {
  const tab = await new World().openTab();
  const put = fillUp();
  const meters = [1, 2].map(() => tab.meter.begin(request({ stream: false })));
  for (const meter of meters) await meter.settle("completed", counts(100, 10));
  await meters[0]!.reverseUsage();
  put.mockRestore();
  await use(tab, 1, 1);
  const tokens = unwrap(await tab.rpc.usage({})).map(({ outputTokens }) => outputTokens);
  expect(tokens.sort()).toEqual([1, 10]);
});

test("products: cached input, embeddings, deployments", async () => {
  const tab = await new World({
    pricing: { m: { input: "1", cachedInput: "0.25", output: "2", embedding: "0.5" } },
  }).openTab();
  await tab.meter.begin(request()).settle("completed", counts(100, 10, 80));
  await use(tab, 7, 0, { endpoint: "/v1/embeddings", stream: false });
  await use(tab, 4, 0, { endpoint: "/v1/embeddings", stream: false, tier: "batch" });
  await use(tab, 1, 1, { tier: "dedicated", deploymentName: "mine", gpuType: () => "apple-m3" });
  const { body } = await tab.get("/v1/billing/invoices/current");
  const rows = body.line_items.map((line: Record<string, unknown>) => [
    line.product_id,
    line.quantity,
    line.unit_price,
    line.pricing_group_values,
  ]);
  const dedicated = { tier: "dedicated", deployment_name: "mine", gpu_type: "apple-m3" };
  expect(rows).toEqual([
    ["embedding-input-tokens", 4, 2.5e-7, { tier: "batch" }],
    ["text-input-tokens", 1, 0.000001, dedicated],
    ["text-output-tokens", 1, 0.000002, dedicated],
    ["text-input-tokens", 20, 0.000001, { tier: "serverless" }],
    ["text-cached-input-tokens", 80, 2.5e-7, { tier: "serverless" }],
    ["text-output-tokens", 10, 0.000002, { tier: "serverless" }],
    ["embedding-input-tokens", 7, 5e-7, { tier: "serverless" }],
  ]);
});

test("a stream whose page was killed is recorded at its last checkpoint, or not at all", async () => {
  const tab = await new World().openTab();
  const early = tab.meter.begin(request());
  early.checkpoint(counts(10, 31));
  await early.settle("interrupted", counts(10, 31));
  const late = tab.meter.begin(request());
  late.checkpoint(counts(10, 40));
  late.checkpoint(counts(10, 45));
  await late.settle("interrupted", counts(10, 60));
  expect(unwrap(await tab.rpc.usage({}))).toMatchObject([{ outcome: "interrupted", outputTokens: 40 }]);
  expect(await inflightTokens(tab)).toBeUndefined();
});

test("what is reversed is out of the ledger, and may be recorded again under its id", async () => {
  const world = new World();
  const tab = await world.openTab();
  const kept = await use(tab, 100, 10);
  const again = await use(tab, 100, 20);
  await tab.reverseEarlier(again.transactionId, 1);
  await tab.reverseEarlier("never recorded", 1);
  const [event, ...others] = unwrap(await tab.rpc.usage({}));
  expect(event).toMatchObject({ requestId: kept.transactionId, outputTokens: 10 });
  expect(others).toEqual([]);
  expect(unwrap(await tab.rpc.verify())).toMatchObject({ ok: true });
  await tab.meter.begin(again).settle("completed", counts(100, 30));
  const tokens = unwrap(await tab.rpc.usage({})).map(({ outputTokens }) => outputTokens);
  expect(tokens.sort()).toEqual([10, 30]);
  expect(unwrap(await tab.rpc.verify())).toMatchObject({ ok: true });
});

test.each(["before", "after"])(
  "a server that was suspended %s it recorded a request reverses only its own record, not the next server's",
  async (when) => {
    const world = new World();
    const [old, next] = [await world.openTab(), await world.openTab()];
    const metered = request({ stream: false });
    const meter = old.meter.begin(metered);
    if (when === "after") await meter.settle("completed", counts(100, 10));
    world.clock.advance(60_000);
    await next.reverseEarlier(metered.transactionId, 1);
    await next.meter.begin({ ...metered, attempt: 1 }).settle("completed", counts(100, 20));
    world.clock.advance(60_000);
    // It wakes: its response was not read.
    await meter.settle("completed", counts(100, 10));
    await meter.reverseUsage();
    expect(unwrap(await next.rpc.usage({}))).toMatchObject([{ outputTokens: 20 }]);
    expect(unwrap(await next.rpc.verify())).toMatchObject({ ok: true });
  },
);

test.each(["record", "reversal"])(
  "one that wakes while the next serves the request changes nothing: %s",
  async (last) => {
    const world = new World();
    const [old, next] = [await world.openTab(), await world.openTab()];
    const metered = request({ stream: false });
    const meter = old.meter.begin(metered);
    world.clock.advance(60_000);
    await next.reverseEarlier(metered.transactionId, 1);
    const resent = next.meter.begin({ ...metered, attempt: 1 });
    await meter.settle("completed", counts(100, 10));
    world.clock.advance(1_000);
    if (last === "record") await meter.reverseUsage();
    await resent.settle("completed", counts(100, 20));
    if (last === "reversal") await meter.reverseUsage();
    expect(unwrap(await next.rpc.usage({}))).toMatchObject([{ outputTokens: 20 }]);
    expect(unwrap(await next.rpc.verify())).toMatchObject({ ok: true });
  },
);

test("a dead server's checkpoint is withdrawn before anybody recovers it", async () => {
  const world = new World();
  const dead = await world.openTab();
  const metered = request();
  dead.meter.begin(metered).checkpoint(counts(10, 40));
  await expect.poll(() => inflightTokens(dead)).toBe(40);
  dead.close();
  const next = await world.openTab();
  await next.reverseEarlier(metered.transactionId, 1);
  await next.get("/v1/billing/invoices");
  expect(unwrap(await next.rpc.usage({}))).toEqual([]);
});

test("what a closed month holds stays: an invoice never changes", async () => {
  const world = new World({ skipsClockCheck: true });
  const tab = await world.openTab();
  const { transactionId } = await use(tab, 100, 10);
  world.clock.advance(28 * 86_400_000);
  unwrap(await tab.rpc.closeDuePeriods());
  await tab.reverseEarlier(transactionId, 1);
  expect(unwrap(await tab.rpc.usage({}))).toMatchObject([{ requestId: transactionId }]);
});
