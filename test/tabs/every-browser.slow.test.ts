/** Firefox and WebKit: a leader that closes, crashes or goes away while others chat, and the service worker of apps. */

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
import { checkpoints, inflight, isLeader, startRuntime, type TabWindow } from "./support/tabs.ts";

const LEDGER = "infetch";
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

/** Begins a stream that the page reads. Its `end` is the name of the error that ends it. @returns the id */
async function stream(json: string): Promise<string> {
  const { runtime } = window as unknown as TabWindow;
  const headers = { authorization: `Bearer ${runtime.apiKey}`, "content-type": "application/json" };
  const response = await runtime.fetch("/v1/chat/completions", { method: "POST", headers, body: json });
  const reader = response.body!.getReader();
  await reader.read();
  const end = (async () => {
    while (!(await reader.read()).done);
  })().catch((error: Error) => error.name);
  Object.assign(window, { end });
  return response.headers.get("x-request-id")!;
}

/** WebKitGTK crashed once in some thirty runs, when a page came back from its page cache. No other failure gets a second run. */
const retry = { count: 1, condition: /session deleted because of page crash/ };

describe.each<BrowserName>(["firefox", "webkit"])("%s", { retry }, (name) => {
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

  test("the leader's tab goes away and comes back: another has led meanwhile, and it works on", async () => {
    const [leader, follower] = [await newTab(), await newTab()];
    const address = await leader.evaluate<string>("location.href");
    const cut = await leader.evaluate(stream, JSON.stringify(streamOf(3_000)));
    await expect.poll(() => checkpoints(leader, LEDGER)).toHaveLength(1);
    await leader.goto(`${address}package/models/`);
    expect(await listModels(follower)).toBe(200);
    expect(await isLeader(follower)).toBe(true);
    expect(await follow(follower, "next", streamOf(3))).toMatchObject({ status: 200, end: "done" });
    await leader.goBack();
    const isRestored = await leader.evaluate<boolean>("window.runtime !== undefined");
    // Firefox restores no page that held a lock when it was left. Playwright's builds restore none.
    expect(isRestored).toBe(name === "webkit" && !findBrowser(name)!.isPlaywright);
    if (isRestored) expect(await leader.evaluate("window.end")).toBe("WorkerLostError");
    else await startRuntime(leader);
    expect(await listModels(leader)).toBe(200);
    expect((await Promise.all([leader, follower].map(isLeader))).toSorted()).toEqual([false, true]);

    // Firefox frees the locks of a page that has gone some time later.
    await expect.poll(() => inflight(follower, LEDGER)).toEqual([]);
    const events = await usageOf(follower);
    expect(events).toHaveLength(2);
    for (const { requestId, outcome, outputTokens } of events) {
      if (requestId !== cut) expect([outcome, outputTokens]).toEqual(["completed", 3]);
      else expect(outcome).toBe("interrupted");
      expect(outputTokens).toBeLessThan(3_000);
    }
  });

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
