/** The part of the server for created keys does not load: a page's own key needs none of it, no other is let in. */

import OpenAI from "openai";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { chatLine } from "../../support/batches/lines.ts";

/** What loads the part instead; undefined: itself. */
const fault = vi.hoisted(() => ({ load: undefined as (() => Promise<never>) | undefined }));

vi.mock("../../../worker/lazy/part.ts", async (original) => {
  const real = await original<typeof import("../../../worker/lazy/part.ts")>();
  const loadPart: typeof real.loadPart = (load) =>
    real.loadPart(String(load).includes("created-keys") ? (fault.load ?? load) : load);
  return { ...real, loadPart };
});

// Files of one process share their modules, and an earlier one may have loaded these without the fault.
vi.resetModules();
const { stateOf } = await import("../../../src/protocol/transfer/request-state.ts");
const { unwrap } = await import("../../ledger/support/world.ts");
const { CHAT, hello, Origin } = await import("../../support/keyed-app.ts");

afterEach(() => {
  fault.load = undefined;
});
afterAll(() => {
  vi.resetModules();
});

const hangs = () => new Promise<never>(() => {});
const fails = () => Promise.reject(new TypeError("Failed to fetch"));

const requestOf = (apiKey: string) =>
  new Request(`https://app.test${CHAT}`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}` },
    body: JSON.stringify(hello),
  });

test("a page's request that is resent does not wait for the part, and is charged once", async () => {
  fault.load = hangs;
  const tab = await new Origin().openTab();
  const request = requestOf(tab.pageKey);
  await (await tab.app.fetch(request)).text();
  const again = requestOf(tab.pageKey);
  Object.assign(stateOf(again), { id: stateOf(request).id, attempt: 1 });
  await tab.reverseUsage(again);
  expect(unwrap(await tab.ledger.rpc.usage({}))).toEqual([]);
  expect((await tab.app.fetch(again)).status).toBe(200);
  expect(unwrap(await tab.ledger.rpc.usage({}))).toHaveLength(1);
});

test("lines of a page's batch run without the part", async () => {
  fault.load = fails;
  const tab = await new Origin().openTab();
  tab.runBatches();
  const { files, batches } = tab.openai(tab.pageKey);
  const file = await OpenAI.toFile(new TextEncoder().encode(chatLine("a")), "input.jsonl");
  const { id: input_file_id } = await files.create({ file, purpose: "batch" });
  const { id } = await batches.create({ input_file_id, endpoint: CHAT, completion_window: "24h" });
  await expect.poll(async () => (await batches.retrieve(id)).status).toBe("completed");
  expect((await batches.retrieve(id)).request_counts).toEqual({ total: 1, completed: 1, failed: 0 });
});

test("a resent request for whose reversal the part did not load counts once for its key", async () => {
  const origin = new Origin();
  const first = await origin.openTab();
  const { apiKey, key } = await first.create();
  const request = requestOf(apiKey);
  const body = await (await first.app.fetch(request)).json();
  first.die();
  const next = await origin.openTab();
  const again = requestOf(apiKey);
  Object.assign(stateOf(again), { id: stateOf(request).id, attempt: 1 });
  fault.load = fails;
  await next.reverseUsage(again);
  fault.load = undefined;
  expect((await next.app.fetch(again)).status).toBe(200);
  const listed = unwrap(await next.keys.list()).find(({ id }) => id === key.id)!;
  expect(listed.usage.today.tokens).toBe(body.usage.total_tokens);
});

test("a key with limits is refused until the part has loaded, and then held to them", async () => {
  const origin = new Origin();
  const { apiKey } = await (await origin.openTab()).create({ limits: { requestsPerMinute: 1 } });
  fault.load = fails;
  const tab = await origin.openTab();
  for (let at = 0; at < 2; at++) {
    const refused = await tab.send(apiKey, CHAT, hello);
    expect([refused.status, (await refused.json()).error.code]).toEqual([503, "part_unavailable"]);
  }
  expect(tab.engine.requests).toEqual([]);
  fault.load = undefined;
  // Both are the first to load it, and share its counters.
  const answers = await Promise.all([tab.send(apiKey, CHAT, hello), tab.send(apiKey, CHAT, hello)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 429]);
});
