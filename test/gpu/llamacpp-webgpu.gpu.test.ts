/** llama.cpp on WebGPU, against web-llm and its own WebAssembly, on a GPU with `shader-f16` (`npm run test:gpu`). */

import { type Browser, chromium, type Page } from "playwright";
import { afterEach, expect, test } from "vitest";
import { findChromium, gpuArguments } from "../../scripts/browsers/chromium.ts";
import type { createRuntime, EngineEvent, Runtime } from "../../src/index.ts";
import { type ScriptEdits, startWatchedServer, type WatchedServer } from "../support/watched-server.ts";

interface App {
  createRuntime: typeof createRuntime;
  runtime: Runtime;
  events: EngineEvent[];
  texts: string[];
}

interface Answer {
  status: number;
  text: string;
  /** Of prompt and reply. */
  tokens: [number, number];
  engine: string | null;
  code: string | undefined;
}

let server: WatchedServer;
let browser: Browser;

afterEach(async () => {
  await browser?.close();
  await server?.close();
});

/** A software adapter (lavapipe) is slower than WebAssembly, so `auto` would not take it. */
const HARDWARE = `if (globalThis.GPUAdapterInfo) for (const [name, value] of Object.entries({ architecture: "tested", description: "", isFallbackAdapter: false }))
  Object.defineProperty(GPUAdapterInfo.prototype, name, { value });`;

/** Opens a page whose model `gguf` has a GGUF file alone. @param edits of scripts */
async function open(device: "auto" | "webgpu" | "wasm", edits: ScriptEdits = {}): Promise<Page> {
  server = await startWatchedServer(false, { "/worker/server.js": (code) => HARDWARE + code, ...edits });
  browser = await chromium.launch({ executablePath: findChromium(), args: gpuArguments });
  const page = await browser.newPage();
  await start(page, device);
  return page;
}

async function start(page: Page, device: "auto" | "webgpu" | "wasm"): Promise<void> {
  await page.goto(`${server.origin}/`);
  await page.waitForFunction("globalThis.createRuntime");
  await page.evaluate(async (device) => {
    const app = globalThis as unknown as App;
    app.runtime = await app.createRuntime({
      hub: { url: "/gguf-hub/" },
      llamacpp: { device },
      shared: false,
    });
    app.events = [];
    app.runtime.on("engine", (event) => app.events.push(event));
    const model = "acme/infetch-tiny-GGUF";
    const known = (await app.runtime.deployments.list()).map(({ name }) => name);
    if (!known.includes("gguf"))
      await app.runtime.deployments.create({
        name: "gguf",
        model,
        file: "tiny-f32.gguf",
        contextWindow: 4096,
      });
  }, device);
}

function complete(page: Page, model: string, prompt: string, more: object = {}): Promise<Answer> {
  const body = { model, prompt, temperature: 0, max_tokens: 40, ...more };
  return page.evaluate(async (json) => {
    const { runtime } = globalThis as unknown as App;
    const response = await runtime.fetch(`${runtime.baseURL}/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${runtime.apiKey}` },
      body: json,
    });
    const { choices, usage, error } = JSON.parse(await response.text());
    const tokens: Answer["tokens"] = [usage?.prompt_tokens, usage?.completion_tokens];
    const engine = response.headers.get("x-infetch-engine");
    return { status: response.status, text: choices?.[0]?.text, tokens, engine, code: error?.code };
  }, JSON.stringify(body));
}

const states = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as App).events.map(({ state }) => state));
const asked = (text: string) => `<|im_start|>user\n${text}<|im_end|>\n<|im_start|>assistant\n`;
const LONG = Array.from({ length: 60 }, (_, at) => `Line ${at} of a long text.`).join("\n");
const PROMPTS = [
  ...["Hello, who are you?", "What is 2 + 2?", "What is the capital of Japan?", "Count to five."].map(asked),
  asked(`${LONG}\nHow many lines?`),
];

test("each engine of the table gives the same replies in full precision, and tells its name and device", async () => {
  const page = await open("auto");
  const replies: Pick<Answer, "text" | "tokens">[][] = [];
  for (const [model, engine] of [
    ["infetch-tiny", "webllm; device=webgpu"],
    ["gguf", "llamacpp; device=webgpu"],
  ] as const) {
    const answers: Answer[] = [];
    for (const prompt of PROMPTS) answers.push(await complete(page, model, prompt));
    expect(answers.map(({ status }) => status)).toEqual(PROMPTS.map(() => 200));
    expect(new Set(answers.map((answer) => answer.engine))).toEqual(new Set([engine]));
    replies.push(answers.map(({ text, tokens }) => ({ text, tokens })));
  }
  const shown = await page.evaluate(async () => {
    const { runtime } = globalThis as unknown as App;
    const headers = { authorization: `Bearer ${runtime.apiKey}` };
    const model = await (await runtime.fetch(`${runtime.baseURL}/models/gguf`, { headers })).json();
    const { webgpu, models } = await runtime.support();
    const support = models.find(({ id }) => id === "gguf");
    return { infetch: model.infetch as { engine: string; device: string }, support, webgpu };
  });
  expect(shown.webgpu).toMatchObject({ available: true, features: expect.arrayContaining(["shader-f16"]) });
  expect(shown.infetch).toMatchObject({ engine: "llamacpp", device: expect.stringMatching(/^webgpu: ./) });
  expect(shown.support).toEqual({ id: "gguf", engine: "llamacpp", device: "webgpu", reason: null });
  // A conversation that was displaced is read back from the graphics card's memory.
  expect((await complete(page, "gguf", PROMPTS[4]!)).text).toBe(replies[1]![4]!.text);

  await start(page, "wasm");
  const inWasm: (typeof replies)[number] = [];
  for (const prompt of PROMPTS) {
    const { text, tokens, engine } = await complete(page, "gguf", prompt);
    expect(engine).toBe("llamacpp; device=wasm");
    expect(tokens[1]).toBeGreaterThan(1);
    inWasm.push({ text, tokens });
  }
  expect(replies[1]).toEqual(inWasm);
  expect(replies[0]).toEqual(inWasm);
  expect(server.foreign).toEqual([]);
});

test("a lost device: an error in the middle of a reply, a fresh engine, then WebAssembly with an event", async () => {
  const page = await open("auto");
  const nested = () => page.workers().find((worker) => worker.url().endsWith("/llamacpp/worker.js"))!;
  expect(await complete(page, "gguf", PROMPTS[1]!)).toMatchObject({ engine: "llamacpp; device=webgpu" });
  for (const losses of [1, 2]) {
    const expected = losses === 1 ? "webgpu" : "wasm";
    const before = (await complete(page, "gguf", PROMPTS[1]!)).text;
    const streamed = page.evaluate(async (prompt) => {
      const { runtime } = globalThis as unknown as App;
      const app = globalThis as unknown as App;
      app.texts = [];
      const response = await runtime.fetch(`${runtime.baseURL}/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${runtime.apiKey}` },
        body: JSON.stringify({ model: "gguf", prompt, stream: true, max_tokens: 500, ignore_eos: true }),
      });
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      for (let next = await reader.read(); !next.done; next = await reader.read()) app.texts.push(next.value);
      return app.texts.join("");
    }, PROMPTS[0]!);
    await expect
      .poll(() => page.evaluate(() => (globalThis as unknown as App).texts?.length ?? 0))
      .toBeGreaterThan(3);
    await nested()
      .evaluate(
        `{ const { createCommandEncoder } = GPUDevice.prototype;
        GPUDevice.prototype.createCommandEncoder = function (...values) { this.destroy(); return createCommandEncoder.apply(this, values); }; }`,
      )
      .catch(() => {});
    const text = await streamed;
    expect(JSON.parse(text.trim().split("\n\n").at(-1)!.replace("data: ", "")).error).toMatchObject({
      code: "engine_lost",
      message: expect.stringMatching(/device was lost/),
    });
    const after = await complete(page, "gguf", PROMPTS[1]!);
    expect(after).toMatchObject({ status: 200, text: before, engine: `llamacpp; device=${expected}` });
    expect((await states(page)).filter((state) => state === "lost")).toHaveLength(losses);
  }
  expect((await states(page)).filter((state) => state === "fallback")).toHaveLength(1);
});

const REFUSING = `if (globalThis.GPUAdapter) GPUAdapter.prototype.requestDevice = async () => { throw new DOMException("no", "OperationError"); };`;
const SMALL = `Object.defineProperty(GPUSupportedLimits.prototype, "maxStorageBufferBindingSize", { get: () => 262_144 });`;

test.each<[string, ScriptEdits]>([
  ["a device that is refused", { "/llamacpp/worker.js": (code) => REFUSING + code }],
  ["limits below the keys of a layer", { "/worker/server.js": (code) => HARDWARE + SMALL + code }],
])("%s: the model loads in WebAssembly, unless the options demand WebGPU", async (_, edits) => {
  const page = await open("auto", edits);
  expect(await complete(page, "gguf", PROMPTS[1]!)).toMatchObject({
    status: 200,
    engine: "llamacpp; device=wasm",
  });
  expect((await states(page)).filter((state) => state === "fallback")).toHaveLength(1);
  await start(page, "webgpu");
  expect(await complete(page, "gguf", PROMPTS[1]!)).toMatchObject({
    status: 503,
    code: "engine_unavailable",
  });
});
