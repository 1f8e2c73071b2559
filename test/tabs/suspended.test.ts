/**
 * A leader that the browser suspends without an event, as phones do in the background: its page and its worker do
 * nothing, but hold their locks.
 */

import type { Dialog, Page } from "playwright";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ends } from "../faults/support/watchdog.ts";
import { follow, followPastFirstToken, listModels, streamOf } from "./support/requests.ts";
import { isLeader, leads, Tabs } from "./support/tabs.ts";

let tabs: Tabs;

beforeEach(async () => {
  tabs = await Tabs.open();
});

afterEach(() => tabs?.close());

/** Blocks the page's main thread until the returned function is called. */
async function suspend(page: Page): Promise<() => Promise<void>> {
  const shown = new Promise<Dialog>((resolve) => page.once("dialog", resolve));
  void page.evaluate("void setTimeout(() => alert('suspended'))");
  const dialog = await shown;
  return () => dialog.accept();
}

/** Blocks the page's server worker for good. */
function suspendServer(page: Page): void {
  const worker = page.workers().find((one) => one.url().endsWith("/server.js"))!;
  const wait = () => {
    const { buffer } = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    Atomics.wait(new Int32Array(buffer), 0, 0);
  };
  worker.evaluate(wait).catch(() => {});
}

test("its followers' streams fail, their requests are answered by another page, and it follows that one later", async () => {
  const [leader, follower, third] = [await tabs.newTab(), await tabs.newTab(), await tabs.newTab()];
  await expect.poll(() => [leader, follower, third].map(leads)).toEqual([true, false, false]);
  const { end: cut } = await followPastFirstToken(follower, "cut", streamOf(900));
  const resume = await suspend(leader);
  suspendServer(leader);
  const waiting = listModels(third);
  const late = tabs.newTab();
  expect(await ends("the stream", cut)).toMatchObject({ status: 200, end: "WorkerLostError" });
  expect(await ends("the request", waiting)).toBe(200);
  expect(await ends("a new page", late.then(listModels))).toBe(200);
  expect(await follow(follower, "next", streamOf(3))).toMatchObject({ end: "done", tokens: 3 });
  // The new page is not counted: where the suspended page's process runs the broker, it has a server of its own.
  expect([follower, third].filter(leads)).toHaveLength(1);
  await resume();
  expect(await ends("a request of the old leader", listModels(leader))).toBe(200);
  expect(await isLeader(leader)).toBe(false);
  expect([follower, third].filter(leads)).toHaveLength(1);
});

test("a server worker that hangs is replaced by its own page", async () => {
  const leader = await tabs.newTab();
  suspendServer(leader);
  expect(await ends("the request", listModels(leader))).toBe(200);
});
