/** A page that loses its GPU, and one whose llama.cpp crashes. */

import { type Browser, chromium, type Page } from "playwright";
import { afterEach, beforeEach, expect, test } from "vitest";
import { chromiumArguments, findChromium, withoutWebGPU } from "../../../scripts/browsers/chromium.ts";
import type { createRuntime, EngineEvent } from "../../../src/index.ts";
import type { UsageEvent } from "../../../src/types/billing.ts";
import type { ModelSupport } from "../../../src/types/models.ts";
import { startWatchedServer, type WatchedServer } from "../../support/watched-server.ts";

interface App {
  createRuntime: typeof createRuntime;
  events: EngineEvent[];
  unload(): Promise<void>;
  usage(): Promise<UsageEvent[]>;
  support(): Promise<ModelSupport[]>;
  /** Starts a stream; resolves at its first chunk. `ended` resolves to its token count and error code. */
  stream(more?: object): Promise<void>;
  ended: Promise<{ tokens: number; code: string | undefined; id: string }>;
  chat(more?: object): Promise<{ status: number; engine: string | null; code: string | undefined }>;
}

let server: WatchedServer;
let browser: Browser | undefined;

beforeEach(async () => {
  server = await startWatchedServer(false);
});
afterEach(async () => {
  await browser?.close();
  await server.close();
});

/** A page with a runtime and a loaded model. */
async function open(args: string[]): Promise<Page> {
  browser = await chromium.launch({ executablePath: findChromium(), args });
  const page = await browser.newPage();
  await page.goto(`${server.origin}/`);
  await page.waitForFunction("globalThis.createRuntime");
  await page.evaluate(async () => {
    const app = globalThis as unknown as App;
    const runtime = await app.createRuntime();
    app.events = [];
    runtime.on("engine", (event) => app.events.push(event));
    await runtime.models.load("infetch-tiny");
    app.unload = () => runtime.models.unload("infetch-tiny");
    app.usage = () => runtime.usage.list();
    app.support = async () => (await runtime.support()).models;
    app.stream = async (more) => {
      const messages = [{ role: "user", content: "Hello!" }];
      const body = { model: "infetch-tiny", messages, stream: true, logprobs: true, ...more };
      const response = await runtime.fetch(`${runtime.baseURL}/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${runtime.apiKey}` },
        body: JSON.stringify(body),
      });
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      let text = (await reader.read()).value ?? "";
      app.ended = (async () => {
        for (let next = await reader.read(); !next.done; next = await reader.read()) text += next.value;
        const last = text.trim().split("\n\n").at(-1)!.replace("data: ", "");
        const { error } = last === "[DONE]" ? {} : JSON.parse(last);
        const tokens = [...text.matchAll(/"logprob":/g)].length;
        return { tokens, code: error?.code, id: response.headers.get("x-request-id")! };
      })();
    };
    app.chat = async (more) => {
      const messages = [{ role: "user", content: "Hello!" }];
      const response = await runtime.fetch(`${runtime.baseURL}/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${runtime.apiKey}` },
        body: JSON.stringify({ model: "infetch-tiny", messages, max_tokens: 4, ...more }),
      });
      const engine = response.headers.get("x-infetch-engine");
      const { error } = JSON.parse((await response.text()) || "{}");
      return { status: response.status, engine: engine?.split(";")[0] ?? null, code: error?.code };
    };
  });
  return page;
}

const chat = (page: Page, more?: object) =>
  page.evaluate((more) => (globalThis as unknown as App).chat(more), more);
const states = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as App).events.map(({ state }) => state));

/** Ends the worker as a lost device does, and waits for the event. */
async function loseEngine(page: Page, losses: number): Promise<void> {
  const engine = page.workers().find((worker) => worker.url().endsWith("/worker/webllm.js"));
  await engine!.evaluate("self.close()").catch(() => {});
  await expect
    .poll(async () => (await states(page)).filter((state) => state === "lost").length, { timeout: 30_000 })
    .toBe(losses);
}

test("an engine lost once is started again, one lost twice goes on in llama.cpp, with an event", async () => {
  const page = await open(chromiumArguments);
  // An unload is not a loss.
  for (let unloads = 0; unloads < 2; unloads++) {
    await page.evaluate(() => (globalThis as unknown as App).unload());
    expect(await chat(page)).toMatchObject({ status: 200, engine: "webllm" });
  }
  await loseEngine(page, 1);
  expect(await chat(page)).toMatchObject({ status: 200, engine: "webllm" });
  expect(await states(page)).not.toContain("fallback");
  await loseEngine(page, 2);
  expect(await chat(page)).toMatchObject({ status: 200, engine: "llamacpp" });
  expect((await states(page)).filter((state) => state === "fallback")).toHaveLength(1);
});

test("a graphics card that offers less than web-llm asks for: llama.cpp runs, and support() says why", async () => {
  const page = await open(chromiumArguments);
  const server = page.workers().find((worker) => worker.url().endsWith("/worker/server.js"));
  await server!.evaluate(() => {
    Object.defineProperty(GPUSupportedLimits.prototype, "maxStorageBuffersPerShaderStage", { value: 8 });
  });
  await page.evaluate(() => (globalThis as unknown as App).unload());
  expect(await chat(page)).toMatchObject({ status: 200, engine: "llamacpp" });
  const models = await page.evaluate(() => (globalThis as unknown as App).support());
  expect(models.find(({ id }) => id === "infetch-tiny")).toEqual({
    id: "infetch-tiny",
    engine: "llamacpp",
    device: "wasm",
    reason: "maxStorageBuffersPerShaderStage 8 < 10",
  });
});

test("a page that loses its GPU for good goes on answering", async () => {
  const page = await open(chromiumArguments);
  expect(await chat(page)).toMatchObject({ status: 200, engine: "webllm" });
  const runtime = page.workers().find((worker) => worker.url().endsWith("/worker/server.js"));
  await runtime!.evaluate(() => {
    GPU.prototype.requestAdapter = async () => null;
  });
  await loseEngine(page, 1);
  expect(await chat(page)).toMatchObject({ status: 200, engine: "llamacpp" });
  await expect.poll(() => states(page)).toContain("fallback");
  const usage = await page.evaluate(() => (globalThis as unknown as App).usage());
  expect(usage.map(({ outcome }) => outcome)).toEqual(["completed", "completed"]);
  expect(usage.every(({ outputTokens }) => outputTokens > 0)).toBe(true);
});

test.each([
  [
    "an abort inside of WebAssembly",
    `onmessage({ data: { verb: "wllama.action", callbackId: 1e9, args: ["no such action", new Uint8Array(64)] } })`,
  ],
  ["the end of its worker", "self.close()"],
])(
  "llama.cpp that crashes by %s in the middle of a reply: an error, and the next request is served",
  async (_, crash) => {
    const page = await open(withoutWebGPU);
    expect(await chat(page)).toMatchObject({ status: 200, engine: "llamacpp" });
    // 100 replies outlast the crash. An end token would be recorded without a log probability.
    const long = { n: 100, max_tokens: 200, temperature: 0, ignore_eos: true };
    await page.evaluate((long) => (globalThis as unknown as App).stream(long), long);
    const wasm = page.workers().find((worker) => worker.url().includes("/llamacpp/worker.js"));
    await wasm!.evaluate(crash).catch(() => {});
    const { tokens, code, id } = await page.evaluate(() => (globalThis as unknown as App).ended);
    expect(["engine_failed", "engine_lost"]).toContain(code);
    expect(tokens).toBeGreaterThan(0);
    const recorded = async () =>
      (await page.evaluate(() => (globalThis as unknown as App).usage())).filter(
        ({ requestId }) => requestId === id,
      );
    await expect.poll(recorded).toMatchObject([{ outcome: "failed", outputTokens: tokens }]);
    await expect.poll(() => states(page), { timeout: 30_000 }).toContain("lost");
    expect(await chat(page)).toMatchObject({ status: 200, engine: "llamacpp" });
  },
);
