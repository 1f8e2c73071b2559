/** Billing edge cases 67 to 76: transitions, recording, recovery. */

import { expect, test } from "vitest";
import { counts, fixture, request, type Tab, unwrap, use, World } from "./support/world.ts";

const JANUARY = "inv_202501_0_default";
const usageOf = async (tab: Tab) => unwrap(await tab.rpc.usage({}));
const codeOf = async (call: Promise<{ ok: boolean; error?: { code: string } }>) => (await call).error?.code;

async function inflight(tab: Tab): Promise<string[]> {
  return tab.database!.read(["inflight"], (all) => all.objectStore("inflight").getAllKeys());
}

/** Meters a stream of `tokens` tokens, one at a time, as the endpoint does. */
async function stream(tab: Tab, tokens: number, over = {}) {
  const metered = request(over);
  const meter = tab.meter.begin(metered);
  for (let at = 1; at <= tokens; at++) {
    meter.checkpoint(counts(10, at));
    // Waits for the due checkpoint to be written, as happens between two real tokens.
    if (metered.stream && at % 32 === 0)
      await expect.poll(() => inflight(tab)).toContain(metered.transactionId);
  }
  return { metered, meter };
}

test("67: transitions that do not exist", async () => {
  const { tab, get } = await fixture();
  expect(await codeOf(tab.rpc.voidInvoice("inv_202502_0_default", ""))).toBe("invalid_transition");
  expect(await codeOf(tab.rpc.voidInvoice("nothing", ""))).toBe("invoice_not_found");
  expect(await codeOf(tab.rpc.regenerateInvoice(JANUARY))).toBe("invalid_transition");
  const before = (await get("/v1/billing/invoices")).body;
  unwrap(await tab.rpc.voidInvoice(JANUARY, "wrong"));
  expect(await codeOf(tab.rpc.voidInvoice(JANUARY, "again"))).toBe("invalid_transition");
  expect((await get(`/v1/billing/invoices/${JANUARY}`)).body).toEqual({
    ...before.invoices[0],
    status: "VOID",
  });
  unwrap(await tab.rpc.regenerateInvoice(JANUARY));
  expect(await codeOf(tab.rpc.regenerateInvoice(JANUARY))).toBe("invalid_transition");
});

test("68: settled twice, as an abort that races completion does", async () => {
  const tab = await new World().openTab();
  const metered = request();
  const meter = tab.meter.begin(metered);
  await Promise.all([meter.settle("completed", counts(10, 5)), meter.settle("aborted", counts(10, 4))]);
  await tab.meter.begin(metered).settle("completed", counts(99, 99));
  expect(await usageOf(tab)).toMatchObject([{ inputTokens: 10, outputTokens: 5, outcome: "completed" }]);
  expect(unwrap(await tab.rpc.verify()).ok).toBe(true);
});

test("69: two tabs settle fifty each at once", async () => {
  const world = new World();
  const tabs = [await world.openTab(), await world.openTab()];
  await Promise.all(Array.from({ length: 100 }, (_, at) => use(tabs[at % 2]!, 3, 2)));
  expect(await usageOf(tabs[0]!)).toHaveLength(100);
  const { body } = await tabs[1]!.get("/v1/billing/invoices/current");
  expect(body.line_items.map((line: { quantity: number }) => line.quantity)).toEqual([300, 200]);
  expect(unwrap(await tabs[1]!.rpc.verify()).ok).toBe(true);
});

test("70: a tab killed after a hundred tokens is charged its checkpoint at 96", async () => {
  const world = new World();
  const killed = await world.openTab();
  const { metered } = await stream(killed, 100);
  killed.agent.die();
  const next = await world.openTab();
  await next.runMaintenance();
  expect(await usageOf(next)).toMatchObject([
    { transactionId: metered.transactionId, inputTokens: 10, outputTokens: 96, outcome: "interrupted" },
  ]);
  expect(await inflight(next)).toEqual([]);
});

test("71: killed during prefill, or without a stream: nothing is charged", async () => {
  const world = new World();
  const killed = await world.openTab();
  await stream(killed, 0);
  await stream(killed, 40, { stream: false });
  expect(await inflight(killed)).toEqual([]);
  // A row as a later version may write it before the first token.
  await killed.database!.write(["inflight"], async (all) => {
    await all.objectStore("inflight").put({
      transaction_id: "prefill",
      owner_id: "gone",
      account: "default",
      endpoint: "/v1/chat/completions",
      tier: "serverless",
      model: "m",
      deployment_name: "",
      gpu_type: "",
      stream: true,
      started_ms: 0,
      checkpoint_ms: 0,
      input_tokens: 10,
      cached_tokens: 0,
      output_tokens: 0,
      reasoning_tokens: 0,
      phase: "admitted",
    });
  });
  killed.agent.die();
  const next = await world.openTab();
  await next.runMaintenance();
  expect([await usageOf(next), await inflight(next)]).toEqual([[], []]);
});

test("72: two tabs recover the same orphan", async () => {
  const world = new World();
  const killed = await world.openTab();
  await stream(killed, 40);
  killed.agent.die();
  const tabs = [await world.openTab(), await world.openTab()];
  await Promise.all(tabs.map((tab) => tab.runMaintenance()));
  expect(await usageOf(tabs[0]!)).toHaveLength(1);
  expect(unwrap(await tabs[0]!.rpc.verify()).ok).toBe(true);
});

test("73: a stream whose tab still lives is left alone", async () => {
  const world = new World();
  const living = await world.openTab();
  const { metered, meter } = await stream(living, 40);
  const other = await world.openTab();
  await other.runMaintenance();
  expect([await usageOf(other), await inflight(other)]).toEqual([[], [metered.transactionId]]);
  await meter.settle("completed", counts(10, 41));
  expect(await usageOf(other)).toMatchObject([{ outputTokens: 41, outcome: "completed" }]);
});

test("74: aborted before the first token, and after seven", async () => {
  const tab = await new World().openTab();
  await use(tab, 10, 0, {}, "aborted");
  expect(await usageOf(tab)).toEqual([]);
  await use(tab, 10, 7, {}, "aborted");
  expect(await usageOf(tab)).toMatchObject([{ inputTokens: 10, outputTokens: 7, outcome: "aborted" }]);
});

test("75: the engine fails after seven tokens; without a stream nothing is charged", async () => {
  const tab = await new World().openTab();
  await use(tab, 10, 7, {}, "failed");
  await use(tab, 10, 7, { stream: false }, "failed");
  expect(await usageOf(tab)).toMatchObject([{ outputTokens: 7, outcome: "failed" }]);
});

test("76: not opened for seven months", async () => {
  const world = new World({ now: "2025-01-10T00:00:00Z", skipsClockCheck: true });
  const before = await world.openTab();
  await use(before, 10, 10);
  world.clock.set("2025-02-10T00:00:00Z");
  await use(before, 20, 20);
  before.close();
  world.clock.set("2025-09-10T00:00:00Z");
  const tab = await world.openTab();
  const { body } = await tab.get("/v1/billing/invoices");
  expect(
    body.invoices.map((one: { id: string; status: string; issued_at: string }) => [
      one.id,
      one.status,
      one.issued_at,
    ]),
  ).toEqual([
    [JANUARY, "FINALIZED", "2025-02-01T00:00:00Z"],
    ["inv_202502_0_default", "FINALIZED", "2025-03-01T00:00:00Z"],
  ]);
  expect((await tab.get("/v1/billing/invoices/current")).status).toBe(404);
});
