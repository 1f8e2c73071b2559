/**
 * Both chat engines under a strict policy (`worker-src 'self'`) and from this origin alone; llama.cpp with threads in
 * a cross-origin isolated page, and with its build for browsers without 64-bit memory.
 */

import { type Browser, chromium, type Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumArguments, findChromium, withoutWebGPU } from "../../../scripts/browsers/chromium.ts";
import type { createRuntime } from "../../../src/runtime.ts";
import { NO_64_BIT_MEMORY } from "../../support/no-64-bit-memory.ts";
import { startWatchedServer, type WatchedServer } from "../../support/watched-server.ts";

type BootedPage = { createRuntime: typeof createRuntime };

interface Answer {
  status: number;
  text: string | undefined;
  device: string | undefined;
}

/** One reply each of the built-in model and of a model that is wide enough for threads. */
function answers(page: Page): Promise<Answer[]> {
  return page.evaluate(async () => {
    const { createRuntime } = globalThis as unknown as BootedPage;
    const runtime = await createRuntime({ hub: { url: "/gguf-hub/" } });
    const model = "acme/infetch-wide-GGUF";
    await runtime.deployments.create({ name: "wide", model, file: "wide-f32.gguf" });
    const headers = { authorization: `Bearer ${runtime.apiKey}` };
    const found: Answer[] = [];
    for (const model of ["infetch-tiny", "wide"]) {
      const response = await runtime.fetch(`${runtime.baseURL}/chat/completions`, {
        method: "POST",
        headers,
        body: JSON.stringify({
          model,
          messages: [{ role: "user", content: "Hello!" }],
          temperature: 0,
          max_tokens: 20,
        }),
      });
      const { choices } = await response.json();
      const listed = await (await runtime.fetch(`${runtime.baseURL}/models/${model}`, { headers })).json();
      const text = choices?.[0].message.content;
      found.push({ status: response.status, text, device: listed.infetch.device });
    }
    runtime.close();
    return found;
  });
}

describe.each([
  ["a page as it is", false, "1 thread"],
  ["an isolated page", true, "threads"],
])("%s", (_, isolated, threads) => {
  let server: WatchedServer;
  let browser: Browser;

  beforeAll(async () => {
    server = await startWatchedServer(isolated);
    browser = await chromium.launch({ executablePath: findChromium(), args: withoutWebGPU });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  test("both models answer, and nothing is asked of another origin", async () => {
    const page = await browser.newPage();
    await page.goto(`${server.origin}/`);
    const [tiny, wide] = await answers(page);
    expect(tiny).toEqual({ status: 200, text: "Hello! How can I help you?", device: "wasm: 1 thread" });
    expect(wide).toMatchObject({ status: 200, device: expect.stringContaining(threads) });
    expect(server.own).toContain("/llamacpp/wllama.wasm");
    expect(server.own).not.toContain("/llamacpp/compat/wllama.wasm");
    expect(server.foreign).toEqual([]);
  });
});

test("with WebGPU web-llm answers under the same policy, beside llama.cpp, from this origin alone", async () => {
  const server = await startWatchedServer(false);
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
  try {
    const page = await browser.newPage();
    await page.goto(`${server.origin}/`);
    const [tiny, wide] = await answers(page);
    expect(tiny).toMatchObject({ status: 200, text: "Hello! How can I help you?" });
    expect(tiny!.device).not.toContain("wasm");
    expect(wide).toMatchObject({ status: 200, device: expect.stringContaining("wasm") });
    expect(server.own).toContain("/worker/webllm.js");
    expect(server.own).toContain("/llamacpp/wllama.wasm");
    expect(server.foreign).toEqual([]);
  } finally {
    await browser.close();
    await server.close();
  }
});

test("a model of an origin that the policy does not allow is refused at once, with what to allow", async () => {
  const server = await startWatchedServer(false);
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
  try {
    const page = await browser.newPage();
    await page.goto(`${server.origin}/`);
    const error = await page.evaluate(async () => {
      const { createRuntime } = globalThis as unknown as BootedPage;
      const runtime = await createRuntime();
      const load = runtime.models.load("infetch-smollm2-135m");
      return load.then(
        () => undefined,
        ({ code, message }) => ({ code, message }),
      );
    });
    expect(error).toEqual({
      code: "model_download_failed",
      message: expect.stringContaining(
        "the Content-Security-Policy forbids it (connect-src): allow https://huggingface.co, and",
      ),
    });
  } finally {
    await browser.close();
    await server.close();
  }
});

const PAGE_POLICY =
  'trustedTypes.createPolicy("default", { createScriptURL: (url) => (new URL(url, location).origin === origin ? url : null) })';

test.each([
  ["a policy in the page alone", "default", PAGE_POLICY],
  ["no policy in the page", "infetch default", ""],
])(
  "Trusted Types required of workers too: with %s, both models answer, on threads",
  async (_, names, script) => {
    const more = `; require-trusted-types-for 'script'; trusted-types ${names}`;
    const server = await startWatchedServer(true, {}, more);
    const browser = await chromium.launch({ executablePath: findChromium(), args: withoutWebGPU });
    try {
      const page = await browser.newPage();
      await page.addInitScript(script);
      await page.goto(`${server.origin}/`);
      const [tiny, wide] = await answers(page);
      expect(tiny).toMatchObject({ status: 200, text: "Hello! How can I help you?" });
      expect(wide).toMatchObject({ status: 200, device: expect.stringContaining("threads") });
      expect(server.foreign).toEqual([]);
    } finally {
      await browser.close();
      await server.close();
    }
  },
);

test("without 64-bit memory, as in Safari 27, the other build answers the same, with threads in an isolated page", async () => {
  const server = await startWatchedServer(true, {
    "/worker/llamacpp.js": (code) => NO_64_BIT_MEMORY + code,
  });
  const browser = await chromium.launch({ executablePath: findChromium(), args: withoutWebGPU });
  const page = await browser.newPage();
  await page.goto(`${server.origin}/`);
  const [tiny, wide] = await answers(page);
  expect(tiny).toMatchObject({
    text: "Hello! How can I help you?",
    device: "wasm: compatible build, 1 thread",
  });
  expect(wide).toMatchObject({
    status: 200,
    device: expect.stringMatching(/^wasm: compatible build, \d threads$/),
  });
  expect(server.own).toContain("/llamacpp/compat/wllama.wasm");
  expect(server.own).not.toContain("/llamacpp/wllama.wasm");
  expect(server.foreign).toEqual([]);
  await browser.close();
  await server.close();
});
