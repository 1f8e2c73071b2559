/** WebKit's network process, which holds IndexedDB, ends in the middle of a reply (decision 175). */

import { afterEach, expect, test } from "vitest";
import { findBrowser } from "../../../scripts/browsers/browsers.ts";
import type { DrivenBrowser } from "../../../scripts/browsers/driven-browser.ts";
import { type FolderServer, serveFolders } from "../../../scripts/servers/serve-folders.ts";
import { distFolder } from "../../../vite.config.ts";
import { ends } from "../../faults/support/watchdog.ts";
import { follow, streamOf, UNENDING, usageOf } from "../../tabs/support/requests.ts";
import { startRuntime } from "../../tabs/support/tabs.ts";

const TOKENS = 400;
const OPTIONS = { storageName: "lost" };

let server: FolderServer | undefined;
let browser: DrivenBrowser | undefined;

afterEach(async () => {
  await browser?.close();
  server?.close();
  [browser, server] = [undefined, undefined];
});

test("the reply ends, errors advise a reload, and after it the ledger goes on", async ({ skip }) => {
  const found = findBrowser("webkit");
  // Playwright's API kills no process of a browser.
  skip(!found || found.isPlaywright, "A build of Playwright.");
  server = await serveFolders({ package: distFolder });
  browser = await found!.start();
  const page = await browser.newPage();
  await page.goto(server.origin);
  await startRuntime(page, OPTIONS);
  const answer = { ...UNENDING, max_tokens: 4 };
  expect(await ends("the first request", follow(page, "first", answer))).toMatchObject({ end: "done" });
  expect(await usageOf(page)).toHaveLength(1);

  await page.evaluate(
    "void Object.assign(window, { seen: {}, note: (seen) => { window.seen = { ...seen }; } })",
  );
  const stream = follow(page, "stream", streamOf(TOKENS));
  await expect.poll(() => page.evaluate("window.seen.tokens ?? 0"), { interval: 20 }).toBeGreaterThan(0);
  await browser.killNetwork!();
  expect(await ends("the stream", stream)).toMatchObject({ end: "done", tokens: TOKENS });
  const failure = await usageOf(page).catch((error: Error) => error);
  expect(failure).toMatchObject({ name: "BillingError" });
  expect((failure as Error).message).toContain("reload the page");

  await page.reload();
  await startRuntime(page, OPTIONS);
  const next = await ends("the request after the reload", follow(page, "next", answer));
  expect(next).toMatchObject({ end: "done" });
  expect(await usageOf(page)).toContainEqual(
    expect.objectContaining({ requestId: next.id, outcome: "completed", outputTokens: 4 }),
  );
  expect(await page.evaluate("window.runtime.billing.verify()")).toMatchObject({ ok: true });
});
