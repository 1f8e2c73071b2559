/** Plain `fetch` in pages without a runtime, through the standalone service worker. */

import type { Page } from "playwright";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  follow,
  followPastFirstToken,
  lendNewKey,
  listModels,
  register,
  streamOf,
  UNENDING,
  usageOf,
  usePlainFetch,
} from "./support/requests.ts";
import { leads, startRuntime, Tabs, type TabWindow } from "./support/tabs.ts";

let tabs: Tabs;

beforeEach(async () => {
  tabs = await Tabs.open();
});

afterEach(() => tabs?.close());

async function withPlainFetch(page: Page): Promise<Page> {
  await usePlainFetch(page);
  return page;
}

test("a page without a runtime chats by plain fetch, streaming, with the key that was lent", async () => {
  const leader = await tabs.newTab();
  const plain = await withPlainFetch(await tabs.newPage());
  await register(plain);
  expect(await listModels(plain)).toBe(401);
  await lendNewKey(leader);
  expect(await listModels(plain)).toBe(200);

  const counts: number[] = [];
  await plain.exposeFunction("note", (seen: { tokens: number }) => counts.push(seen.tokens));
  const seen = await follow(plain, "plain", streamOf(60));
  expect(seen).toMatchObject({ status: 200, end: "done", tokens: 60 });
  // It was streamed.
  expect(new Set(counts).size).toBeGreaterThan(5);
  expect(await usageOf(leader)).toMatchObject([
    { requestId: seen.id, outcome: "completed", outputTokens: 60, inputTokens: seen.usage!.prompt_tokens },
  ]);

  // A key in the request takes precedence.
  const status = await plain.evaluate(async () => {
    const headers = { authorization: "Bearer infetch-no-such" };
    return (await fetch("/v1/models", { headers })).status;
  });
  expect(status).toBe(401);
  // XMLHttpRequest works as well.
  const answer = await plain.evaluate(
    (json) =>
      new Promise<string>((resolve) => {
        const request = new XMLHttpRequest();
        request.open("POST", "/v1/chat/completions");
        request.setRequestHeader("content-type", "application/json");
        request.onload = () => resolve(request.responseText);
        request.send(json);
      }),
    JSON.stringify({ ...UNENDING, max_tokens: 3 }),
  );
  expect(JSON.parse(answer)).toMatchObject({ usage: { completion_tokens: 3 } });
});

test("with no page that runs infetch it says so at once, and answers again once there is one", async () => {
  const plain = await withPlainFetch(await tabs.newPage());
  await register(plain);
  const refusal = await plain.evaluate(async () => {
    const response = await fetch("/v1/models");
    return { status: response.status, body: await response.json() };
  });
  expect(refusal).toEqual({
    status: 503,
    body: {
      error: {
        message: "No open page of this site runs infetch. Open one, then send the request again.",
        type: "server_error",
        param: null,
        code: "no_open_page",
      },
    },
  });
  const [first, second] = [await tabs.newTab(), await tabs.newTab()];
  await lendNewKey(first);
  expect(await listModels(plain)).toBe(200);
  await tabs.kill(first);
  expect(await listModels(plain)).toBe(200);
  await second.close();
  // The server briefly outlives its page.
  await expect.poll(() => listModels(plain)).toBe(503);
});

test("the leader crashes: the plain stream fails, what had not begun is answered by the next", async () => {
  // Register before there is a leader: Chromium may run a service worker in the process of any page of the site, so
  // a crash of that page would end it.
  const plain = await withPlainFetch(await tabs.newPage());
  await register(plain);
  const [leader, next] = [await tabs.newTab(), await tabs.newTab()];
  await lendNewKey(leader);
  const { end: cut } = await followPastFirstToken(plain, "cut", streamOf(900));
  const waiting = follow(plain, "waiting", { ...UNENDING, max_tokens: 3 });
  await tabs.kill(leader);
  // Plain fetch reports a network error.
  expect(await cut).toMatchObject({ status: 200, end: "TypeError" });
  expect(await waiting).toMatchObject({ status: 200, end: "done" });
  await expect.poll(() => leads(next)).toBe(true);
});

test("an abort and a closed tab reach the server: neither is generated for nor charged on", async () => {
  const leader = await tabs.newTab();
  await lendNewKey(leader);
  const plain = await withPlainFetch(await tabs.newPage());
  await register(plain);
  await plain.evaluate(
    async (json) => {
      const abort = new AbortController();
      const { signal } = abort;
      const headers = { "content-type": "application/json" };
      const response = await fetch("/v1/chat/completions", { method: "POST", body: json, headers, signal });
      await response.body!.getReader().read();
      abort.abort();
    },
    JSON.stringify(streamOf(900)),
  );
  expect(await follow(leader, "next", streamOf(3))).toMatchObject({ end: "done" });
  const { end } = await followPastFirstToken(plain, "closing", streamOf(900));
  const failed = end.catch(() => {});
  await plain.close();
  await failed;
  expect(await follow(leader, "last", streamOf(3))).toMatchObject({ end: "done" });
  for (const event of await usageOf(leader)) expect(event.outputTokens).toBeLessThan(900);
});

test("where there is no SharedWorker, pages reach the leader through the service worker", async () => {
  await tabs.context.addInitScript("delete globalThis.SharedWorker");
  await register(await tabs.newPage());
  const pages = [await tabs.newTab(), await tabs.newTab(), await tabs.newTab()];
  await expect.poll(() => pages.map(leads)).toEqual([true, false, false]);
  const seen = await Promise.all(pages.map((page, at) => follow(page, `${at}`, streamOf(5))));
  expect(seen.map(({ end }) => end)).toEqual(["done", "done", "done"]);
  await tabs.kill(pages[0]!);
  expect(await Promise.all(pages.slice(1).map(listModels))).toEqual([200, 200]);
  expect(pages.slice(1).filter(leads)).toHaveLength(1);
});

test.each([
  ["there is no SharedWorker", (page: Page) => page.addInitScript("delete globalThis.SharedWorker")],
  ["the broker does not load", (page: Page) => page.route(/\/broker\.js$/, (route) => route.abort())],
])("where %s, a page that it did not control at first is found by it all the same", async (_, spoil) => {
  const page = await tabs.newPage();
  await spoil(page);
  await page.reload();
  await startRuntime(page);
  const locks = () =>
    page.evaluate(async () => (await navigator.locks.query()).held!.map(({ name }) => name));
  await expect.poll(locks).toContainEqual(expect.stringMatching(/:alone$/));
  await register(page);
  await lendNewKey(page);
  const plain = await withPlainFetch(await tabs.newPage());
  expect(await listModels(plain)).toBe(200);
  await page.close();
  await expect.poll(() => listModels(plain)).toBe(503);
});

test("a page that has a runtime keeps its own key beside the service worker", async () => {
  const page = await tabs.newPage();
  await register(page);
  await startRuntime(page);
  expect(await listModels(page)).toBe(200);
  const plainStatus = await page.evaluate(async () => {
    const { runtime } = window as unknown as TabWindow;
    const headers = { authorization: `Bearer ${runtime.apiKey}` };
    return (await fetch("/v1/models", { headers })).status;
  });
  expect(plainStatus).toBe(200);
});
