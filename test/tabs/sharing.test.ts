/** All tabs of an origin share one server and one copy of each model, even as tabs close or crash. */

import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { chromiumArguments } from "../../scripts/browsers/chromium.ts";
import { distFolder } from "../../vite.config.ts";
import { follow, followPastFirstToken, listModels, streamOf, UNENDING, usageOf } from "./support/requests.ts";
import { leads, startRuntime, Tabs, type TabWindow, workersOf } from "./support/tabs.ts";

let tabs: Tabs;

beforeEach(async () => {
  tabs = await Tabs.open(distFolder, chromiumArguments);
});

afterEach(() => tabs?.close());

const closing: [string, (page: Page) => Promise<unknown>][] = [
  ["closes its tab", (page) => page.close()],
  ["crashes", (page) => tabs.kill(page)],
  ["closes its runtime", (page) => page.evaluate(() => (window as unknown as TabWindow).runtime.close())],
  ["leaves the site", (page) => page.goto("about:blank")],
];

test("three tabs that stream at once have loaded one model, in one engine, under one server", async () => {
  const pages = [await tabs.newTab(), await tabs.newTab(), await tabs.newTab()];
  for (const page of pages) {
    await page.evaluate(() => {
      const target = window as unknown as TabWindow & { loads: number };
      target.loads = 0;
      target.runtime.on("engine", ({ state }) => {
        if (state === "loaded") target.loads += 1;
      });
    });
  }
  const seen = await Promise.all(
    pages.flatMap((page, at) => [follow(page, `a${at}`, streamOf(40)), follow(page, `b${at}`, streamOf(40))]),
  );
  for (const one of seen) expect(one).toMatchObject({ end: "done", tokens: 40 });
  expect(await Promise.all(pages.map((page) => page.evaluate("window.loads")))).toEqual([1, 1, 1]);
  expect(pages.flatMap(workersOf).sort()).toEqual(["server.js", "webllm.js"]);
  const events = await usageOf(pages[2]!);
  expect(events.map((event) => event.outputTokens)).toEqual(Array(6).fill(40));
});

test("a frame of the origin shares the server of its page", async () => {
  const page = await tabs.newTab();
  await page.evaluate(async () => {
    const frame = document.body.appendChild(document.createElement("iframe"));
    frame.src = "/frame";
    await new Promise((resolve) => frame.addEventListener("load", resolve));
  });
  const frame = page.frames()[1]!;
  await startRuntime(frame as unknown as Page);
  expect(await listModels(frame as unknown as Page)).toBe(200);
  expect(workersOf(page)).toEqual(["server.js"]);
});

describe.each(closing)("the leader %s", (_, end) => {
  test("in the middle of things: another leads, what had not begun is answered, what had fails", async () => {
    const leader = await tabs.newTab();
    const follower = await tabs.newTab();
    const third = await tabs.newTab();
    await expect.poll(() => [leader, follower, third].map(leads)).toEqual([true, false, false]);
    const { end: cut } = await followPastFirstToken(follower, "cut", streamOf(800));
    // Queued behind the stream, at this server or the next.
    const waiting = follow(third, "waiting", { ...UNENDING, max_tokens: 5 });
    const startedAtMs = performance.now();
    await end(leader);
    expect(await listModels(third)).toBe(200);
    // Logged, not asserted: CI machines may be slow.
    console.log(`another leads after ${(performance.now() - startedAtMs).toFixed(0)} ms`);
    expect(await cut).toMatchObject({ status: 200, end: "WorkerLostError" });
    expect(await waiting).toMatchObject({ status: 200, end: "done", usage: { completion_tokens: 5 } });
    expect(leader.isClosed() ? [] : workersOf(leader)).toEqual([]);
    expect([follower, third].filter(leads)).toHaveLength(1);

    const { id, tokens: read } = await cut;
    await expect.poll(async () => (await usageOf(third)).length).toBeGreaterThan(0);
    const events = await usageOf(third);
    expect(new Set(events.map((event) => event.requestId)).size).toBe(events.length);
    for (const event of events) {
      if (event.requestId !== id) expect(event).toMatchObject({ outcome: "completed", outputTokens: 5 });
      else expect(event.outcome).toBe("interrupted");
      if (event.requestId === id) expect(event.outputTokens).toBeLessThanOrEqual(read);
    }
  });
});

test("without a SharedWorker and a service worker, every page has a server of its own", async () => {
  await tabs.context.addInitScript("delete globalThis.SharedWorker");
  const pages = [await tabs.newTab(), await tabs.newTab()];
  await expect.poll(() => pages.map(leads)).toEqual([true, true]);
  expect(await Promise.all(pages.map(listModels))).toEqual([200, 200]);
});

/** Makes transferring a ReadableStream fail, as in Safari, which does not support it. */
const NO_STREAM_TRANSFER = `for (const Endpoint of [MessagePort, globalThis.Worker, globalThis.DedicatedWorkerGlobalScope]) {
  const target = Endpoint === globalThis.DedicatedWorkerGlobalScope ? globalThis : Endpoint?.prototype;
  const post = target?.postMessage;
  if (!post || (target === globalThis && globalThis.document)) continue;
  target.postMessage = function (message, transfer = []) {
    const list = Array.isArray(transfer) ? transfer : (transfer.transfer ?? []);
    globalThis.posts = (globalThis.posts ?? 0) + 1;
    if (list.some((one) => /Stream/.test(Object.prototype.toString.call(one)))) {
      throw new DOMException("A stream could not be cloned.", "DataCloneError");
    }
    return post.call(this, message, transfer);
  };
}
`;

test("nothing transfers a stream: bodies go over ports, in every agent between a tab and the engine", async () => {
  const folder = await mkdtemp(join(tmpdir(), "infetch-streams-"));
  await cp(distFolder, folder, { recursive: true, filter: (path) => !/\bort\b/.test(path) });
  for (const name of ["server", "webllm"]) {
    const path = join(folder, `worker/${name}.js`);
    await writeFile(path, NO_STREAM_TRANSFER + (await readFile(path, "utf8")));
  }
  await tabs.close();
  tabs = await Tabs.open(folder, chromiumArguments);
  await tabs.context.addInitScript(NO_STREAM_TRANSFER);
  const [leader, follower] = [await tabs.newTab(), await tabs.newTab()];
  expect(await follow(follower, "stream", streamOf(8))).toMatchObject({ end: "done", tokens: 8 });
  const control = "new MessageChannel().port1.postMessage(0, [new ReadableStream()])";
  const workers = leader.workers().filter((worker) => !worker.url().includes("broker"));
  expect(workers).toHaveLength(2);
  const evaluations = [follower, leader, ...workers].map(
    (agent) => (expression: string) => (agent as Page).evaluate<number>(expression),
  );
  for (const evaluate of evaluations) {
    expect(await evaluate("globalThis.posts")).toBeGreaterThan(0);
    await expect(evaluate(control)).rejects.toThrow("DataCloneError");
  }
  await rm(folder, { recursive: true });
});
