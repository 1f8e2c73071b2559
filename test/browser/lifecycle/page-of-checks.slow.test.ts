/** One page that uses the whole interface, in each browser; on odd days cross-origin isolated. */

import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { findBrowser } from "../../../scripts/browsers/browsers.ts";
import type { BrowserName, DrivenBrowser } from "../../../scripts/browsers/driven-browser.ts";
import { ofTheDay } from "../../support/random.ts";
import { startWatchedServer, type WatchedServer } from "../../support/watched-server.ts";
import { runChecks } from "./support/run-checks.ts";

let browser: DrivenBrowser;
let server: WatchedServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

describe.each<BrowserName>(["chromium", "firefox", "webkit"])("%s", (name) => {
  beforeAll(async () => {
    browser = await findBrowser(name)!.start();
  });
  afterAll(() => browser?.close());

  test.each(ofTheDay([false, true]))("every check passes, cross-origin isolated: %s", async (isolated) => {
    server = await startWatchedServer(isolated);
    const before = browser.printed?.length;
    const page = await browser.newPage();
    await page.goto(server.origin);
    await expect.poll(() => page.evaluate(() => "createRuntime" in globalThis)).toBe(true);
    const { checks, device, ...info } = await page.evaluate(runChecks);
    // WebKitGTK's MiniBrowser has no `SharedArrayBuffer`, isolated or not.
    const hasThreads = isolated && name !== "webkit";
    expect(info).toEqual({ isIsolated: isolated, hasThreads });
    expect(Object.entries(checks).filter(([, outcome]) => outcome !== true)).toEqual([]);
    expect(Object.keys(checks)).toHaveLength(18);
    expect(device).toMatch(hasThreads ? /^wasm: [2-9] threads$/ : /^wasm: (compatible build, )?1 thread$/);
    expect(server.foreign).toEqual([]);
    expect(browser.printed?.slice(before) ?? []).toEqual([]);
  });
});

test.each<BrowserName>(["chromium", "firefox"])(
  "what workers at any depth print in %s is seen",
  async (name) => {
    const browser = await findBrowser(name)!.start();
    onTestFinished(() => browser.close());
    server = await startWatchedServer(false);
    const page = await browser.newPage();
    await page.goto(server.origin);
    await page.evaluate(() => {
      console.warn("printed by #page");
      new Worker("/print.js");
      new SharedWorker("/print.js#shared");
    });
    const authors = ["nested", "page", ...(name === "firefox" ? ["shared"] : []), "worker"];
    await expect
      .poll(() => browser.printed!.flatMap((line) => /printed by #(\w+)/.exec(line)?.[1] ?? []).sort())
      .toEqual(authors);
  },
);
