/** Tabs that the browser puts in its back/forward cache, or freezes, and restores. */

import type { Page } from "playwright";
import { afterEach, beforeEach, expect, test } from "vitest";
import { follow, followPastFirstToken, listModels, streamOf, usageOf } from "./support/requests.ts";
import { leads, Tabs, workersOf } from "./support/tabs.ts";

let tabs: Tabs;

beforeEach(async () => {
  tabs = await Tabs.open();
});

afterEach(() => tabs?.close());

/** Navigates away; the page is cached with its `window` state until {@link goBack}. */
async function goAway(page: Page): Promise<void> {
  await page.evaluate(() => {
    addEventListener("pageshow", (event) => {
      Object.assign(window, { wasKept: (event as PageTransitionEvent).persisted });
    });
  });
  await page.goto(`${tabs.origin}/elsewhere`);
}

/** Playwright's own waits for a load event, which a restored page lacks. */
async function goBack(page: Page): Promise<void> {
  await page.evaluate("history.back()").catch(() => {});
  await page.waitForFunction("window.wasKept");
}

/** Starts a request without awaiting it: an awaited `evaluate` would not survive navigation. */
function begin(page: Page, path: string, body?: object): Promise<void> {
  return page.evaluate(
    async ({ path, json }) => {
      const { runtime } = window as unknown as { runtime: import("infetch").Runtime };
      const init = json === undefined ? {} : { method: "POST", body: json };
      const headers = { authorization: `Bearer ${runtime.apiKey}` };
      const answer = await runtime.fetch(runtime.baseURL + path, { ...init, headers });
      const rest = answer.text().then(
        () => "whole",
        (error: Error) => error.name,
      );
      rest.then((ended) => Object.assign(window, { ended }));
    },
    { path, json: body && JSON.stringify(body) },
  );
}

test("a leader in the back/forward cache has given the lead away, and works on when it is back", async () => {
  const [leader, follower] = [await tabs.newTab(), await tabs.newTab()];
  await begin(leader, "/chat/completions", streamOf(900));
  await goAway(leader);
  expect(await listModels(follower)).toBe(200);
  await expect.poll(() => leads(follower)).toBe(true);
  expect(await follow(follower, "next", streamOf(3))).toMatchObject({ end: "done", tokens: 3 });
  await goBack(leader);
  // Its open request fails with an error.
  await leader.waitForFunction("window.ended === 'WorkerLostError'");
  expect(await listModels(leader)).toBe(200);
  await expect.poll(() => leads(leader)).toBe(false);
  await follower.close();
  expect(await listModels(leader)).toBe(200);
  await expect.poll(() => leads(leader)).toBe(true);
});

test("a server whose worker the browser does not end at once has ended for the other pages", async () => {
  const leader = await tabs.newTab();
  const suspended = await tabs.newPage();
  // Stands for an engine's worker of the leader's page: it watches first, and never handles what it is granted.
  await suspended.evaluate(async () => {
    const { held = [] } = await navigator.locks.query();
    const { name } = held.find((lock) => lock.name!.includes(":server:"))!;
    void navigator.locks.request(name!, { mode: "shared" }, () => new Promise(() => {}));
  });
  const [follower, third] = [await tabs.newTab(), await tabs.newTab()];
  await expect.poll(() => [leader, follower, third].map(leads)).toEqual([true, false, false]);
  const { end: cut } = await followPastFirstToken(follower, "cut", streamOf(900));
  // As in Chromium now and then, when a page goes into the cache.
  await leader.evaluate(() => {
    Worker.prototype.terminate = () => {};
    dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }));
  });
  const seen = await cut;
  expect(seen).toMatchObject({ status: 200, end: "WorkerLostError" });
  expect(await follow(third, "next", streamOf(3))).toMatchObject({ end: "done", tokens: 3 });
  const event = async () => (await usageOf(third)).find(({ requestId }) => requestId === seen.id);
  // Recorded by whichever is first: the server that lives on, without its engine or its reader, or the next one.
  await expect.poll(async () => (await event())?.outcome).toMatch(/^(aborted|failed|interrupted)$/);
  expect((await event())!.outputTokens).toBeLessThanOrEqual(seen.tokens);
});

test("a follower in the cache is not charged on, and comes back to the same server", async () => {
  const [leader, follower] = [await tabs.newTab(), await tabs.newTab()];
  await begin(follower, "/chat/completions", streamOf(900));
  await goAway(follower);
  // The engine is free long before 900 tokens.
  expect(await follow(leader, "next", streamOf(3))).toMatchObject({ end: "done", tokens: 3 });
  for (const event of await usageOf(leader)) expect(event.outputTokens).toBeLessThan(900);
  await goBack(follower);
  await follower.waitForFunction("window.ended === 'WorkerLostError'");
  expect(await listModels(follower)).toBe(200);
  await expect.poll(() => [leader, follower].map(leads)).toEqual([true, false]);
});

test("no page in the cache comes to lead", async () => {
  const [leader, cached, third] = [await tabs.newTab(), await tabs.newTab(), await tabs.newTab()];
  await goAway(cached);
  await leader.close();
  expect(await listModels(third)).toBe(200);
  await expect.poll(() => leads(third)).toBe(true);
  await goBack(cached);
  expect(await listModels(cached)).toBe(200);
});

/** Dispatches Chromium's events: it freezes only hidden tabs, and tabs driven by a test are visible. */
function setFrozen(page: Page, isFrozen: boolean): Promise<void> {
  return page.evaluate(
    (type) => void document.dispatchEvent(new Event(type)),
    isFrozen ? "freeze" : "resume",
  );
}

test("a leader that is told to freeze gives the lead away; its requests wait until it is back", async () => {
  const [leader, follower] = [await tabs.newTab(), await tabs.newTab()];
  await setFrozen(leader, true);
  expect(await listModels(follower)).toBe(200);
  await expect.poll(() => [leader, follower].map(leads)).toEqual([false, true]);
  const waiting = listModels(leader);
  await setFrozen(leader, false);
  expect(await waiting).toBe(200);
  expect(workersOf(leader)).toEqual([]);
});

test("a follower that is frozen keeps its stream, and never comes to lead", async () => {
  const [leader, frozen, third] = [await tabs.newTab(), await tabs.newTab(), await tabs.newTab()];
  const stream = follow(frozen, "stream", streamOf(40));
  await setFrozen(frozen, true);
  expect(await stream).toMatchObject({ end: "done", tokens: 40 });
  await leader.close();
  expect(await listModels(third)).toBe(200);
  await expect.poll(() => leads(third)).toBe(true);
  await setFrozen(frozen, false);
  expect(await listModels(frozen)).toBe(200);
});
