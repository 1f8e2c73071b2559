/** llama.cpp in a browser that refuses WebAssembly more memory, as phones do (decision 176). */

import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { findBrowser } from "../../../scripts/browsers/browsers.ts";
import type { BrowserName, DrivenBrowser } from "../../../scripts/browsers/driven-browser.ts";
import type { createRuntime } from "../../../src/index.ts";
import { ends } from "../../faults/support/watchdog.ts";
import { startWatchedServer, type WatchedServer } from "../../support/watched-server.ts";

/**
 * Of the 128 MiB at the start, what is left once 72 are taken fits a window of 4,096 tokens of the model, but not the
 * usual one of 8,192.
 */
const REFUSE_MORE = `{
  WebAssembly.Memory.prototype.grow = function () { throw new RangeError("refused"); };
  addEventListener("message", ({ data }) => {
    if (data.verb === "wllama.start") Module.mmapAlloc(72 * 2 ** 20);
  });
}`;
const REFUSE_ALL = `WebAssembly.Memory = function () { throw new RangeError("could not allocate memory"); };`;

interface Answer {
  status: number;
  code: string | undefined;
  message: string | undefined;
  tokens: number | undefined;
  /** Of the requests in the ledger. */
  charged: [outcome: string, outputTokens: number][];
  /** Of the model, after the request. */
  contextWindow: number | undefined;
}

let server: WatchedServer | undefined;
let browser: DrivenBrowser;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** The first request of a page whose engine starts with `code`. */
async function ask(code: string, contextWindow?: number): Promise<Answer> {
  server = await startWatchedServer(false, {
    "/llamacpp/worker.js": (script) => code + script,
    "/llamacpp/compat/worker.js": (script) => code + script,
  });
  const page = await browser.newPage();
  await page.goto(`${server.origin}/`);
  const answer = page.evaluate(async (contextWindow: number | null) => {
    const app = globalThis as unknown as { createRuntime: typeof createRuntime };
    const runtime = await app.createRuntime({ hub: { url: "/gguf-hub/" }, llamacpp: { device: "wasm" } });
    await runtime.deployments.create({
      name: "long",
      model: "acme/infetch-long-GGUF",
      file: "long.gguf",
      ...(contextWindow ? { contextWindow } : {}),
    });
    const headers = { authorization: `Bearer ${runtime.apiKey}` };
    const messages = [{ role: "user", content: "Hello!" }];
    const body = JSON.stringify({ model: "long", messages, max_tokens: 4 });
    const response = await runtime.fetch(`${runtime.baseURL}/chat/completions`, {
      method: "POST",
      headers,
      body,
    });
    const { error, usage } = await response.json();
    const model = await (await runtime.fetch(`${runtime.baseURL}/models/long`, { headers })).json();
    const events = await runtime.usage.list();
    return {
      status: response.status,
      code: error?.code,
      message: error?.message,
      tokens: usage?.completion_tokens,
      charged: events.map(({ outcome, outputTokens }) => [outcome, outputTokens]),
      contextWindow: model.infetch.context_window,
    } as Answer;
  }, contextWindow ?? null);
  return ends("the request", answer);
}

describe.each<BrowserName>(["chromium", "firefox", "webkit"])("%s", (name) => {
  beforeAll(async () => {
    browser = await findBrowser(name)!.start();
  });
  afterAll(() => browser?.close());

  test("a request runs in a smaller window", async () => {
    const answer = await ask(REFUSE_MORE);
    expect(answer).toMatchObject({ status: 200, contextWindow: 4096 });
    expect(answer.charged).toEqual([["completed", answer.tokens]]);
  });

  test("a window that was asked for is an error that names the memory", async () => {
    const answer = await ask(REFUSE_MORE, 16_384);
    expect(answer).toMatchObject({ status: 503, code: "insufficient_memory", charged: [] });
    expect(answer.message).toMatch(/no more than \d+ MB of memory/);
  });

  test("no memory at all is an error", async () => {
    expect(await ask(REFUSE_ALL)).toMatchObject({ status: 503, code: "insufficient_memory", charged: [] });
  });
});
