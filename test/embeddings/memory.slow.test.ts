/** Unloading a model frees its memory, measured on the browser's processes. */

import { type Browser, type BrowserServer, chromium } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chromiumArguments, findChromium } from "../../scripts/browsers/chromium.ts";
import type { createRuntime, Runtime } from "../../src/runtime.ts";
import { privateMemory } from "../support/process-memory.ts";
import { startWatchedServer, type WatchedServer } from "../support/watched-server.ts";

interface RunningPage {
  createRuntime: typeof createRuntime;
  runtime: Runtime;
}

const POLL_MS = 250;
const POLLS = 120;

let server: WatchedServer;
let process: BrowserServer;
let browser: Browser;

beforeAll(async () => {
  server = await startWatchedServer(false);
  process = await chromium.launchServer({ executablePath: findChromium(), args: chromiumArguments });
  browser = await chromium.connect(process.wsEndpoint());
});
afterAll(async () => {
  await browser.close();
  await process.close();
  await server.close();
});

test.skipIf(globalThis.process.platform !== "linux")("unload gives the memory back", async () => {
  const page = await browser.newPage();
  const measure = (): Promise<number> => privateMemory(process.process().pid!);
  await page.goto(`${server.origin}/`);
  await page.evaluate(async () => {
    const { createRuntime } = globalThis as unknown as RunningPage;
    Object.assign(globalThis, { runtime: await createRuntime({ embeddings: { device: "wasm" } }) });
  });
  const idle = await measure();
  await page.evaluate(async () => {
    const { runtime } = globalThis as unknown as RunningPage;
    const input = Array.from({ length: 512 }, (_, at) => `text ${at} ${"word ".repeat(at % 200)}`);
    await runtime.fetch(`${runtime.baseURL}/embeddings`, {
      method: "POST",
      headers: { authorization: `Bearer ${runtime.apiKey}` },
      body: JSON.stringify({ model: "infetch-tiny-embed", input }),
    });
  });
  const loaded = await measure();
  await page.evaluate(async () => {
    const { runtime } = globalThis as unknown as RunningPage;
    await runtime.models.unload("infetch-tiny-embed");
  });
  let after = await measure();
  // The browser frees memory with a delay.
  for (let poll = 0; poll < POLLS && after - idle > (loaded - idle) / 2; poll++) {
    await page.waitForTimeout(POLL_MS);
    after = await measure();
  }
  console.log(
    `memory: ${idle.toFixed(0)} MiB idle, ${loaded.toFixed(0)} loaded, ${after.toFixed(0)} unloaded`,
  );
  expect(loaded - idle).toBeGreaterThan(20);
  expect(after - idle).toBeLessThan((loaded - idle) / 2);
});
