/** A page's own key in plain `fetch`, through the service worker, while pages take the lead from each other. */

import type { Page } from "playwright";
import { afterEach, beforeEach, expect, test } from "vitest";
import { register } from "./support/requests.ts";
import { leads, Tabs, type TabWindow } from "./support/tabs.ts";

let tabs: Tabs;

beforeEach(async () => {
  tabs = await Tabs.open();
});

afterEach(() => tabs?.close());

interface Asking extends TabWindow {
  statuses: number[];
}

/** Sends one request after the other from the page. */
async function keepAsking(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(() => {
    const asking = window as unknown as Asking;
    const headers = { authorization: `Bearer ${asking.runtime.apiKey}` };
    asking.statuses = [];
    const ask = async (): Promise<void> => {
      asking.statuses.push((await fetch("/v1/models", { headers })).status);
      void ask();
    };
    void ask();
  });
  return () => page.evaluate(() => (window as unknown as Asking).statuses);
}

test("is valid at each server, also at one that the page has not joined yet", async () => {
  const pages: Page[] = [];
  for (let at = 0; at < 5; at++) pages.push(await tabs.newTab());
  const follower = pages.pop()!;
  await register(follower);
  const statuses = await keepAsking(follower);
  const more = async (): Promise<void> => {
    const { length } = await statuses();
    await expect.poll(async () => (await statuses()).length).toBeGreaterThan(length + 2);
  };
  for (const leader of pages) {
    await expect.poll(() => leads(leader)).toBe(true);
    await more();
    // The service worker looks for the next server before this page has learned of the end of its own.
    const busy = follower.evaluate(() => {
      const end = performance.now() + 500;
      while (performance.now() < end);
    });
    await leader.close();
    await busy;
  }
  await more();
  expect((await statuses()).filter((status) => status !== 200)).toEqual([]);
});
