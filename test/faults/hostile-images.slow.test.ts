/** Broken and hostile image files in requests: each is answered, nothing hangs, and memory returns. */

import { type Browser, type BrowserServer, chromium, type Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chromiumArguments, findChromium } from "../../scripts/browsers/chromium.ts";
import type { createRuntime, Runtime } from "../../src/runtime.ts";
import { hostileImages } from "../support/images/hostile-images.ts";
import { dataURL, imageFile } from "../support/images/image-files.ts";
import { privateMemory } from "../support/process-memory.ts";
import { startWatchedServer, type WatchedServer } from "../support/watched-server.ts";

interface RunningPage {
  createRuntime: typeof createRuntime;
  runtime: Runtime;
}

const CODES =
  /^(empty_image_file|invalid_image_format|image_parse_error|image_too_large|image_file_too_large)$/;
/** Of memory that the browser's allocators keep. */
const KEPT_MIB = 100;

let server: WatchedServer;
let process: BrowserServer;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  server = await startWatchedServer(false);
  process = await chromium.launchServer({ executablePath: findChromium(), args: chromiumArguments });
  browser = await chromium.connect(process.wsEndpoint());
  page = await browser.newPage();
  await page.goto(`${server.origin}/`);
  await page.waitForFunction("globalThis.createRuntime");
  await page.evaluate(async () => {
    const { createRuntime } = globalThis as unknown as RunningPage;
    const runtime = await createRuntime({ hub: { url: "/gguf-hub/" } });
    await runtime.deployments.create({
      name: "seeing",
      model: "acme/infetch-tiny-GGUF",
      file: "tiny-f32.gguf",
      projector: "tiny-mmproj-f32.gguf",
      contextWindow: 512,
    });
    Object.assign(globalThis, { runtime });
  });
});
afterAll(async () => {
  await browser?.close();
  await process?.close();
  await server?.close();
});

const ask = (url: string) =>
  page.evaluate(async (url) => {
    const { runtime } = globalThis as unknown as RunningPage;
    const startedAt = performance.now();
    const content = [{ type: "image_url", image_url: { url } }];
    const response = await runtime.fetch(`${runtime.baseURL}/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${runtime.apiKey}` },
      body: JSON.stringify({ model: "seeing", messages: [{ role: "user", content }], max_tokens: 1 }),
    });
    const { error } = await response.json();
    return { status: response.status, code: error?.code as string, ms: performance.now() - startedAt };
  }, url);

test("more than 200 files: a 400 each, except for what the browser shows", async () => {
  const whole = dataURL(imageFile("quarters.png"));
  expect((await ask(whole)).status).toBe(200);
  const before = await privateMemory(process.process().pid!);
  const wrong: unknown[] = [];
  let refused = 0;
  for (const { name, bytes, mayBePicture } of hostileImages()) {
    const { status, code, ms } = await ask(dataURL(bytes));
    if (status === 400) refused++;
    const isFine = status === 400 ? CODES.test(code) : status === 200 && mayBePicture;
    if (!isFine || ms > 20_000) wrong.push({ name, status, code, ms });
  }
  expect(wrong).toEqual([]);
  expect(refused).toBeGreaterThan(100);
  expect((await ask(whole)).status).toBe(200);
  expect(server.foreign).toEqual([]);
  if (globalThis.process.platform !== "linux") return;
  await expect
    .poll(async () => (await privateMemory(process.process().pid!)) - before, { timeout: 30_000 })
    .toBeLessThan(KEPT_MIB);
});
