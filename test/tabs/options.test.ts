/** Tabs of one origin with different options, as after a release: old tabs break nothing. */

import { afterEach, beforeEach, expect, test } from "vitest";
import type { RuntimeOptions } from "../../src/options/runtime-options.ts";
import { listModels } from "./support/requests.ts";
import { leads, startRuntime, Tabs, type TabWindow } from "./support/tabs.ts";

let tabs: Tabs;

beforeEach(async () => {
  tabs = await Tabs.open();
});

afterEach(() => tabs?.close());

const leadersOptions: [string, RuntimeOptions][] = [
  ["pricing", { billing: { pricing: { "infetch-tiny": { input: "7", output: "9" } } } }],
  ["graceMs", { billing: { graceMs: 1000 } }],
  ["keepAliveMs", { keepAliveMs: 1000 }],
  ["memoryBudgetBytes", { memoryBudgetBytes: 2 ** 30 }],
  ["maxQueuedRequests", { maxQueuedRequests: 3 }],
  ["strict", { strict: true }],
];

test.each(leadersOptions)("another %s shares the server, and leads after it", async (_, options) => {
  const old = await tabs.newTab();
  const newer = await tabs.newTab(options);
  expect(await Promise.all([old, newer].map(listModels))).toEqual([200, 200]);
  expect([old, newer].map(leads)).toEqual([true, false]);
  await old.close();
  expect(await listModels(newer)).toBe(200);
  await expect.poll(() => leads(newer)).toBe(true);
});

const ownServer: [string, RuntimeOptions][] = [
  ["models", { models: [{ id: "mine", url: "/package/models/infetch-tiny/" }] }],
  [
    "embedding model",
    { models: [{ kind: "embedding", id: "mine", url: "/package/models/infetch-tiny-embed/" }] },
  ],
  ["upstream", { upstream: { baseURL: "https://gpu.test/v1", apiKey: "key", models: ["mine"] } }],
  ["billing", { billing: false }],
];

test.each(ownServer)(
  "another %s has a server that can meet it, beside the old one",
  async (name, options) => {
    const [old, first] = [await tabs.newTab(), await tabs.newTab(options)];
    const second = await tabs.newTab(options);
    expect(await Promise.all([old, first, second].map(listModels))).toEqual([200, 200, 200]);
    expect([old, first, second].map(leads)).toEqual([true, true, false]);
    const ids = await second.evaluate(async () => {
      const { runtime } = window as unknown as TabWindow;
      const headers = { authorization: `Bearer ${runtime.apiKey}` };
      const { data } = await (await runtime.fetch(`${runtime.baseURL}/models`, { headers })).json();
      return data.map(({ id }: { id: string }) => id);
    });
    if (name !== "billing") expect(ids).toContain("mine");
  },
);

test("strict is each page's own", async () => {
  const lenient = await tabs.newTab();
  const strict = await tabs.newTab({ strict: true });
  const respond = (page: typeof strict) =>
    page.evaluate(async () => {
      const { runtime } = window as unknown as TabWindow;
      const response = await runtime.fetch(`${runtime.baseURL}/responses`, {
        method: "POST",
        headers: { authorization: `Bearer ${runtime.apiKey}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "infetch-tiny", input: "Hi", max_output_tokens: 16 }),
      });
      return [response.status, (await response.json()).error?.param];
    });
  expect(await respond(strict)).toEqual([400, "store"]);
  expect((await respond(lenient))[0]).toBe(200);
});

test("another clock over the same ledger is refused by name while a tab leads, and welcome after", async () => {
  const leader = await tabs.newTab();
  const other = await tabs.newPage();
  const options = { testing: { clockOffsetMs: 60_000 } };
  await expect(startRuntime(other, options)).rejects.toThrow(/RuntimeOptionsConflictError.*clockOffsetMs/);
  await startRuntime(other, { ...options, shared: false });
  await expect.poll(() => [leader, other].map(leads)).toEqual([true, true]);
  await tabs.newTab({ ...options, storageName: "other-ledger" });
  await leader.close();
  const fourth = await tabs.newTab(options);
  await expect.poll(() => leads(fourth)).toBe(true);
  expect(await listModels(fourth)).toBe(200);
});
