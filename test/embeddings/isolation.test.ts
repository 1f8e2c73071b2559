/** Embeddings under a strict CSP load from this origin alone: any request to another fails the test. */

import { type Browser, chromium, type Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumArguments, findChromium } from "../../scripts/browsers/chromium.ts";
import type { createRuntime } from "../../src/runtime.ts";
import { LEAK, startWatchedServer, type WatchedServer } from "../support/watched-server.ts";

const BUILT_IN = "infetch-tiny-embed";
const OF_HUB = "infetch-all-minilm-l6-v2";
/** Its configuration is wide enough for threads. */
const WIDE = "broken-embed";

type BootedPage = { createRuntime: typeof createRuntime };

interface Answer {
  status: number;
  engine: string | null;
  dimensions: number | undefined;
  threads: number;
}

/** Runs in the page: a new runtime, one request per model. */
async function embedInPage(page: Page, device: "wasm" | "webgpu", models: string[]): Promise<Answer[]> {
  return page.evaluate(
    async ({ device, models }) => {
      const { createRuntime } = globalThis as unknown as BootedPage;
      const runtime = await createRuntime({
        embeddings: { device },
        hub: { url: "/fixtures/hub/" },
        models: [
          {
            kind: "embedding",
            id: "broken-embed",
            hubId: "acme/broken-embed",
            dtypes: { wasm: ["fp32"], webgpu: ["fp32"] },
          },
        ],
      });
      const answers: Answer[] = [];
      for (const model of models) {
        const response = await runtime.fetch(`${runtime.baseURL}/embeddings`, {
          method: "POST",
          headers: { authorization: `Bearer ${runtime.apiKey}` },
          body: JSON.stringify({ model, input: "hello" }),
        });
        const { data } = await response.json();
        const { infetch } = await (
          await runtime.fetch(`${runtime.baseURL}/models/${encodeURIComponent(model)}`, {
            headers: { authorization: `Bearer ${runtime.apiKey}` },
          })
        ).json();
        answers.push({
          status: response.status,
          engine: response.headers.get("x-infetch-engine"),
          dimensions: data?.[0].embedding.length,
          threads: infetch.threads,
        });
      }
      runtime.close();
      return answers;
    },
    { device, models },
  );
}

/** Keeps all that the page and its workers load, as an app does that works offline. */
async function keepFiles(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.register("/keep.js");
    if (!navigator.serviceWorker.controller)
      await new Promise((claimed) => navigator.serviceWorker.addEventListener("controllerchange", claimed));
  });
  await page.reload();
}

/** Requests another origin from a worker and waits for the report, which follows all earlier ones. */
async function leak(page: Page, server: WatchedServer): Promise<void> {
  await page.evaluate(
    () =>
      new Promise((tried) => {
        new Worker("/leak.js").onmessage = tried;
      }),
  );
  await expect.poll(() => server.foreign, { timeout: 30_000 }).toContain(LEAK);
}

describe.each([false, true])("cross-origin isolated: %s", (isolated) => {
  let server: WatchedServer;
  let browser: Browser;

  beforeAll(async () => {
    server = await startWatchedServer(isolated);
    browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  test("both backends answer, and the one foreign request is the control's", async () => {
    const page = await browser.newPage();
    await page.goto(`${server.origin}/`);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(isolated);
    const cores = await page.evaluate(() => navigator.hardwareConcurrency);
    const threads = Math.min(4, Math.ceil(cores / 2));
    const [onWasm, ofHub, wide] = await embedInPage(page, "wasm", [BUILT_IN, OF_HUB, WIDE]);
    const engine = "transformers; device=wasm; dtype=fp32";
    expect(onWasm).toEqual({ status: 200, engine, dimensions: 384, threads: 1 });
    expect(ofHub).toMatchObject({ status: 200, dimensions: 16, threads: 1 });
    expect(wide).toMatchObject({ status: 200, dimensions: 16, threads: isolated ? threads : 1 });
    const [onGpu] = await embedInPage(page, "webgpu", [BUILT_IN]);
    expect(onGpu).toMatchObject({ status: 200, engine: engine.replace("wasm", "webgpu") });
    expect(server.own).toContain("/ort/ort-wasm-simd-threaded.wasm");
    expect(server.own).toContain("/ort/ort-wasm-simd-threaded.asyncify.wasm");
    await leak(page, server);
    expect(server.foreign).toEqual([LEAK]);
  });
});

test("offline, a cross-origin isolated page with a service worker runs as many threads as online", async () => {
  const server = await startWatchedServer(true);
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
  try {
    const page = await browser.newPage();
    await page.goto(`${server.origin}/`);
    await keepFiles(page);
    const [online] = await embedInPage(page, "wasm", [WIDE]);
    expect(online).toMatchObject({ status: 200, dimensions: 16 });
    expect(online!.threads).toBeGreaterThan(0);
    await server.close();
    await page.reload();
    expect(await embedInPage(page, "wasm", [WIDE])).toEqual([online]);
  } finally {
    await browser.close();
    await server.close();
  }
});
