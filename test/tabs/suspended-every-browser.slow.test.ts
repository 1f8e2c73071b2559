/** Firefox and WebKit: a leader whose main thread no longer runs, as of a page that the browser has suspended. */

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { BrowserName, DrivenPage } from "../../scripts/browsers/driven-browser.ts";
import { follow, listModels, type Sighting, streamOf } from "./support/requests.ts";
import { RoundBrowser } from "./support/round-browser.ts";
import { isLeader, startRuntime } from "./support/tabs.ts";

let browser: RoundBrowser;
let seen: Map<string, Sighting>;

async function newTab(): Promise<DrivenPage> {
  const tab = await browser.newTab();
  await startRuntime(tab);
  return tab;
}

describe.each<BrowserName>(["firefox", "webkit"])("%s", (name) => {
  beforeEach(async () => {
    seen = new Map();
    browser = await RoundBrowser.start(name, (sighting) => void seen.set(sighting.name, sighting));
  });
  afterEach(() => browser?.close());

  test("the leader's main thread is blocked: a page that opens takes the lead, and the leader follows later", async () => {
    // Runs the broker.
    const keeper = await newTab();
    await keeper.evaluate("window.runtime.close()");
    const [leader, follower] = [await newTab(), await newTab()];
    expect(await Promise.all([leader, follower].map(isLeader))).toEqual([true, false]);
    // Later: the driver hears that this has run from the main thread.
    await leader.evaluate(`void setTimeout(async () => {
      await note({ name: "blocked", tokens: 0 });
      const end = performance.now() + 60_000;
      while (performance.now() < end);
    }, 3_000)`);
    await expect.poll(() => seen.has("blocked")).toBe(true);
    const late = await newTab();
    expect(await listModels(late)).toBe(200);
    expect(await isLeader(late)).toBe(true);
    expect(await listModels(follower)).toBe(200);
    expect(await follow(late, "late", streamOf(3))).toMatchObject({ status: 200, end: "done", tokens: 3 });
    // Once it runs again.
    expect(await listModels(leader)).toBe(200);
    expect(await Promise.all([leader, follower, late].map(isLeader))).toEqual([false, false, true]);
  });
});
