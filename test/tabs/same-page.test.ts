/** Several runtimes in one page share one server until the last one is closed. */

import type { Page } from "playwright";
import { afterEach, beforeEach, expect, test } from "vitest";
import { follow, listModels, streamOf, usageOf } from "./support/requests.ts";
import { leads, startRuntime, Tabs, type TabWindow, workersOf } from "./support/tabs.ts";

let tabs: Tabs;

beforeEach(async () => {
  tabs = await Tabs.open();
});

afterEach(() => tabs?.close());

/** A page with two runtimes of the same options: `window.first` and `window.runtime`. */
async function twoRuntimes(options = {}): Promise<Page> {
  const page = await tabs.newTab(options);
  await page.evaluate("window.first = window.runtime");
  await startRuntime(page, options);
  return page;
}

const closeFirst = (page: Page): Promise<void> => page.evaluate("window.first.close()");

test("closing the runtime that started the server leaves the other one its stream", async () => {
  const page = await twoRuntimes();
  expect(workersOf(page)).toEqual(["server.js"]);
  let begin!: () => void;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  await page.exposeFunction("note", ({ tokens }: { tokens: number }) => tokens > 0 && begin());
  const stream = follow(page, "stream", streamOf(60));
  await begun;
  await closeFirst(page);
  expect(await stream).toMatchObject({ status: 200, end: "done", tokens: 60 });
  expect(await listModels(page)).toBe(200);
  expect((await usageOf(page)).map(({ outputTokens }) => outputTokens)).toEqual([60]);
  await page.evaluate("window.runtime.close()");
  await expect.poll(() => workersOf(page)).toEqual([]);
});

test("what the closed one has under way ends, and its key with it", async () => {
  const page = await twoRuntimes();
  const ends = await page.evaluate(async () => {
    const { first } = window as unknown as Record<"first", TabWindow["runtime"]>;
    const headers = { authorization: `Bearer ${first.apiKey}` };
    const pending = first.models.load("infetch-tiny").catch((error: Error) => error.name);
    first.close();
    const later = await first.fetch("/v1/models", { headers }).catch((error: Error) => error.name);
    return [await pending, later];
  });
  expect(ends).toEqual(["RuntimeClosedError", "RuntimeClosedError"]);
  // The two runtimes have a port each, between which messages have no order.
  const status = () =>
    page.evaluate(async () => {
      const { first, runtime } = window as unknown as TabWindow & Record<"first", TabWindow["runtime"]>;
      const headers = { authorization: `Bearer ${first.apiKey}` };
      return (await runtime.fetch("/v1/models", { headers })).status;
    });
  await expect.poll(status).toBe(401);
});

test("React's StrictMode: a runtime that is closed as it starts takes nothing from the next one", async () => {
  const page = await tabs.newPage();
  // As text: Vite would rewrite the import.
  await page.evaluate(`import("/package/index.js").then(async ({ createRuntime }) => {
    const first = createRuntime();
    const unmounted = first.then((runtime) => runtime.close());
    window.runtime = await createRuntime();
    await unmounted;
  })`);
  expect(await follow(page, "chat", streamOf(5))).toMatchObject({ end: "done", tokens: 5 });
  expect(workersOf(page).filter((name) => name === "server.js")).toHaveLength(1);
});

test("a model that two runtimes load is fetched once, and closing one of them does not cancel the load", async () => {
  const page = await tabs.newPage();
  const files: string[] = [];
  tabs.context.on("request", (request) => {
    if (/\/(server|llamacpp)\.js$|\.gguf$/.test(request.url())) files.push(request.url().split("/").at(-1)!);
  });
  await startRuntime(page);
  await page.evaluate("window.first = window.runtime");
  await startRuntime(page);
  const ends = await page.evaluate(async () => {
    const { first, runtime } = window as unknown as TabWindow & Record<"first", TabWindow["runtime"]>;
    const loads = [first, runtime].map(({ models }) =>
      models.load("infetch-tiny").then(
        () => "loaded",
        (error: Error) => error.name,
      ),
    );
    await new Promise<void>((resolve) => void runtime.on("progress", () => resolve()));
    first.close();
    return Promise.all(loads);
  });
  expect(ends).toEqual(["RuntimeClosedError", "loaded"]);
  expect(await follow(page, "chat", streamOf(5))).toMatchObject({ end: "done", tokens: 5 });
  expect(files.length).toBeGreaterThan(2);
  expect(new Set(files).size).toBe(files.length);
});

test("of another tab's server too: closing one runtime of a follower ends nothing of the other", async () => {
  const leader = await tabs.newTab();
  const page = await twoRuntimes();
  const stream = follow(page, "stream", streamOf(60));
  await closeFirst(page);
  expect(await stream).toMatchObject({ end: "done", tokens: 60 });
  await leader.close();
  expect(await listModels(page)).toBe(200);
  await expect.poll(() => leads(page)).toBe(true);
});

test("all runtimes of a page are put aside and come back together", async () => {
  const page = await twoRuntimes();
  await page.evaluate("document.dispatchEvent(new Event('freeze'))");
  await expect.poll(() => workersOf(page)).toEqual([]);
  await page.evaluate("document.dispatchEvent(new Event('resume'))");
  expect(await listModels(page)).toBe(200);
  await closeFirst(page);
  expect(await listModels(page)).toBe(200);
});

test("with shared: false each runtime has a server of its own", async () => {
  const page = await twoRuntimes({ shared: false });
  expect(workersOf(page)).toEqual(["server.js", "server.js"]);
  await closeFirst(page);
  expect(await listModels(page)).toBe(200);
});
