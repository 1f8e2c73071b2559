/** Firefox and WebKit: a leader that closes or crashes while others chat, and the service worker of apps. */

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findBrowser } from "../../scripts/browsers/browsers.ts";
import type { BrowserName, DrivenPage } from "../../scripts/browsers/driven-browser.ts";
import {
  follow,
  followHere,
  lendNewKey,
  listModels,
  register,
  type Sighting,
  streamOf,
  UNENDING,
  usageOf,
  usePlainFetch,
} from "./support/requests.ts";
import { RoundBrowser } from "./support/round-browser.ts";
import { isLeader, startRuntime } from "./support/tabs.ts";

let browser: RoundBrowser;
let seen: Map<string, Sighting>;

async function newTab(): Promise<DrivenPage> {
  const tab = await browser.newTab();
  await startRuntime(tab);
  return tab;
}

/** Sends a request that goes on while the test drives other tabs. @returns its end */
async function begin(tab: DrivenPage, name: string, body: object): Promise<() => Promise<Sighting>> {
  await tab.evaluate(`window.follow = ${followHere}`);
  await tab.evaluate(
    (request: { name: string; json: string }) => {
      const here = window as unknown as { follow: typeof followHere; end: Promise<Sighting> };
      here.end = here.follow(request);
    },
    { name, json: JSON.stringify(body) },
  );
  return () => tab.evaluate("window.end");
}

describe.each<BrowserName>(["firefox", "webkit"])("%s", (name) => {
  beforeEach(async () => {
    seen = new Map();
    browser = await RoundBrowser.start(name, (sighting) => void seen.set(sighting.name, sighting));
  });
  afterEach(() => browser?.close());

  test.for(["close", "kill"] as const)(
    "the leader's tab ends (%s): another leads, what had not begun is answered, what had fails",
    async (end, { skip }) => {
      // Playwright's API crashes tabs of Chromium only.
      skip(end === "kill" && findBrowser(name)!.isPlaywright, "A build of Playwright.");
      // Runs the broker, which Firefox does not start again at once (decision 080).
      const keeper = await newTab();
      await keeper.evaluate("window.runtime.close()");
      const [leader, follower, third] = [await newTab(), await newTab(), await newTab()];
      expect(await Promise.all([leader, follower, third].map(isLeader))).toEqual([true, false, false]);
      const endOfCut = await begin(follower, "cut", streamOf(3_000));
      await expect.poll(() => seen.get("cut")?.tokens ?? 0).toBeGreaterThan(0);
      const endOfWaiting = await begin(third, "waiting", { ...UNENDING, max_tokens: 5 });
      await leader[end]();
      expect(await listModels(third)).toBe(200);
      const cut = await endOfCut();
      expect(cut).toMatchObject({ status: 200, end: "WorkerLostError" });
      const waiting = { status: 200, end: "done", usage: { completion_tokens: 5 } };
      expect(await endOfWaiting()).toMatchObject(waiting);
      expect((await Promise.all([follower, third].map(isLeader))).filter(Boolean)).toHaveLength(1);

      await expect.poll(async () => (await usageOf(third)).length).toBeGreaterThan(0);
      for (const event of await usageOf(third)) {
        if (event.requestId !== cut.id)
          expect(event).toMatchObject({ outcome: "completed", outputTokens: 5 });
        else expect(event.outcome).toBe("interrupted");
        if (event.requestId === cut.id) expect(event.outputTokens).toBeLessThanOrEqual(cut.tokens);
      }
    },
  );

  test("a page without a runtime chats by plain fetch, with the key that was lent", async () => {
    const leader = await newTab();
    const plain = await browser.newTab();
    await usePlainFetch(plain);
    await register(plain);
    expect(await listModels(plain)).toBe(401);
    await lendNewKey(leader);
    expect(await listModels(plain)).toBe(200);
    const answer = await follow(plain, "plain", streamOf(60));
    expect(answer).toMatchObject({ status: 200, end: "done", tokens: 60 });
    expect(await usageOf(leader)).toMatchObject([
      { requestId: answer.id, outcome: "completed", outputTokens: 60 },
    ]);
  });
});
