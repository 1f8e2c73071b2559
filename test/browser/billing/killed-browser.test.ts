/** The whole browser is killed mid-stream; restarted on the same profile, it finds the ledger intact. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chromiumArguments, findChromium } from "../../../scripts/browsers/chromium.ts";
import { type FolderServer, serveFolders } from "../../../scripts/servers/serve-folders.ts";
import { distFolder } from "../../../vite.config.ts";
import { browserOf, isAlive } from "../../support/command.ts";
import { follow, type Sighting, streamOf, usageOf } from "../../tabs/support/requests.ts";

let server: FolderServer;
let profile: string;
let context: BrowserContext | undefined;

beforeAll(async () => {
  server = await serveFolders({ package: distFolder });
  profile = await mkdtemp(join(tmpdir(), "infetch-profile-"));
});
afterAll(async () => {
  await context?.close();
  server?.close();
  await rm(profile, { recursive: true, force: true });
});

/** A page with a runtime, in a browser with a persistent profile. */
async function open(): Promise<Page> {
  context = await chromium.launchPersistentContext(profile, {
    executablePath: findChromium(),
    args: chromiumArguments,
  });
  const page = await context.newPage();
  await page.goto(server.origin);
  await page.evaluate(
    `import("/package/index.js").then(async ({ createRuntime }) => { window.runtime = await createRuntime(); })`,
  );
  return page;
}

test("what a killed browser had committed is charged once, and no more than was read", async () => {
  const page = await open();
  const whole = await follow(page, "whole", { ...streamOf(8), max_tokens: 8 });
  expect(whole).toMatchObject({ end: "done", tokens: 8 });
  let seen: Sighting | undefined;
  await page.exposeFunction("note", (sighting: Sighting) => {
    seen = sighting;
  });
  follow(page, "killed", streamOf(400)).catch(() => {});
  // Past a checkpoint: one is written every 32 tokens.
  await expect.poll(() => seen?.tokens ?? 0).toBeGreaterThan(80);
  const pid = browserOf(process.pid);
  const closed = new Promise((resolve) => context!.once("close", resolve));
  process.kill(pid, "SIGKILL");
  await closed;
  await expect.poll(() => isAlive(pid)).toBe(false);
  const { id, tokens, end } = seen!;
  expect(end).toBeUndefined();

  const next = await open();
  await expect.poll(async () => (await usageOf(next)).length).toBe(2);
  const events = await usageOf(next);
  expect(events).toContainEqual(
    expect.objectContaining({ requestId: whole.id, outcome: "completed", outputTokens: 8 }),
  );
  const killed = events.find(({ requestId }) => requestId === id);
  expect(killed).toMatchObject({ outcome: "interrupted" });
  expect(killed!.outputTokens).toBeGreaterThan(0);
  expect(killed!.outputTokens).toBeLessThanOrEqual(tokens);
  expect(await next.evaluate("window.runtime.billing.verify()")).toMatchObject({ ok: true });
});
