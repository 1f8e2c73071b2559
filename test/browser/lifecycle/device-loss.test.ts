/**
 * A GPU that fails mid-conversation, in each possible way: the device is destroyed, runs out of memory or gets an
 * invalid buffer, or the GPU process crashes.
 */

import { type Browser, type BrowserContext, chromium, type Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import chatConfig from "../../../models/tiny-chat/mlc-chat-config.json" with { type: "json" };
import { chromiumArguments, findChromium } from "../../../scripts/browsers/chromium.ts";
import { type FolderServer, serveFolders } from "../../../scripts/servers/serve-folders.ts";
import { distFolder } from "../../../vite.config.ts";

interface RunningPage {
  runtime: import("infetch").Runtime;
  events: import("infetch").EngineEvent[];
  onText(text: string): void;
}

/** Always runs to its limit: the stop tokens are suppressed. */
const LONG = {
  model: "on-gpu",
  messages: [{ role: "user", content: "Count from one to one hundred." }],
  temperature: 0,
  max_tokens: 400,
  logit_bias: Object.fromEntries(chatConfig.conv_template.stop_token_ids.map((id) => [id, -100])),
};
const SHORT = { ...LONG, messages: [{ role: "user", content: "Hello!" }], max_tokens: 5 };

let server: FolderServer;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** Text received from the current stream. */
let seen: string;

beforeAll(async () => {
  server = await serveFolders({ package: distFolder });
  browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
  context = await browser.newContext();
  page = await context.newPage();
  await page.exposeFunction("onText", (text: string) => {
    seen += text;
  });
  await page.goto(server.origin);
  await page.addScriptTag({
    type: "module",
    content: `import { createRuntime } from "/package/index.js";
      globalThis.events = [];
      const runtime = await createRuntime();
      // Its engine is forced: no other one may take over from a failing GPU.
      await runtime.deployments.create({ name: "on-gpu", model: "infetch-tiny", engine: "webllm" });
      runtime.on("engine", (event) => events.push(event));
      globalThis.runtime = runtime;`,
  });
  await page.waitForFunction("globalThis.runtime");
});
afterAll(async () => {
  await browser?.close();
  server?.close();
});

function ask(body: object): Promise<{ status: number; text: string }> {
  return page.evaluate(async (json) => {
    const { runtime, onText } = globalThis as unknown as RunningPage;
    const response = await runtime.fetch(`${runtime.baseURL}/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${runtime.apiKey}`, "content-type": "application/json" },
      body: json,
    });
    let text = "";
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      text += piece.value;
      onText(piece.value);
    }
    return { status: response.status, text };
  }, JSON.stringify(body));
}

async function reply(body: object): Promise<{ content: string; usage: { completion_tokens: number } }> {
  const { status, text } = await ask(body);
  expect(status).toBe(200);
  const { choices, usage } = JSON.parse(text);
  return { content: choices[0].message.content, usage };
}

/** The text of an interrupted stream. */
function contentOf(stream: string): string {
  const chunks = stream
    .trim()
    .split("\n\n")
    .map((event) => JSON.parse(event.slice("data: ".length)));
  return chunks.map(({ choices }) => choices?.[0]?.delta.content ?? "").join("");
}

/** Runs code in the engine worker at its next command. */
const AT_NEXT_COMMAND = (what: string): string => `{
  const { createCommandEncoder } = GPUDevice.prototype;
  GPUDevice.prototype.createCommandEncoder = function (...values) { ${what}; return createCommandEncoder.apply(this, values); };
}`;
const OUT_OF_MEMORY = `this.dispatchEvent(new GPUUncapturedErrorEvent("uncapturederror", { error: new GPUOutOfMemoryError("no room") }))`;
const INVALID_BUFFER = `{
  const { createBindGroup } = GPUDevice.prototype;
  GPUDevice.prototype.createBindGroup = function (group) { group.entries[0].resource.buffer.destroy(); return createBindGroup.call(this, group); };
}`;

/** Patches the engine worker: the build has no hook for this. */
async function inEngine(code: string): Promise<void> {
  const engine = page.workers().find((worker) => worker.url().endsWith("/worker/webllm.js"));
  // Rejects if the worker dies.
  await engine!.evaluate(code).catch(() => {});
}

/** The URL works only as an address bar navigation. */
async function crashGpuProcess(): Promise<void> {
  const other = await context.newPage();
  const session = await context.newCDPSession(other);
  await session.send("Page.navigate", { url: "chrome://gpucrash", transitionType: "address_bar" });
  await other.close();
}

async function lostReasons(): Promise<string[]> {
  const events = await page.evaluate(() => (globalThis as unknown as RunningPage).events.splice(0));
  return events.filter(({ state }) => state === "lost").map(({ reason }) => reason ?? "");
}

const lastUsage = () =>
  page.evaluate(async () => (await (globalThis as unknown as RunningPage).runtime.usage.list()).at(-1)!);

/** The crash is last: after a second one Chromium disables WebGPU for the page. */
const FAILURES: [string, string, RegExp, () => Promise<void>][] = [
  ["a destroyed device", "engine_lost", /device was lost/, () => inEngine(AT_NEXT_COMMAND("this.destroy()"))],
  ["memory that runs out", "out_of_memory", /out of memory/, () => inEngine(AT_NEXT_COMMAND(OUT_OF_MEMORY))],
  ["an invalid buffer", "engine_lost", /refused a command/, () => inEngine(INVALID_BUFFER)],
  ["a crashed GPU process", "engine_lost", /device was lost/, crashGpuProcess],
];

test.each(FAILURES)(
  "%s ends a stream with an error; the next turn is answered",
  async (_, code, reason, fail) => {
    const expected = (await reply(SHORT)).content;
    seen = "";
    const stream = ask({ ...LONG, stream: true });
    await expect.poll(() => seen.split("\n\n").length, { interval: 5 }).toBeGreaterThan(5);
    await fail();
    const { status, text } = await stream;
    expect(status).toBe(200);
    expect(JSON.parse(text.trim().split("\n\n").at(-1)!.replace("data: ", "")).error).toMatchObject({
      code,
      type: "server_error",
      message: expect.stringMatching(reason),
    });
    expect(text).not.toContain("[DONE]");
    const charged = await lastUsage();
    expect(charged.outcome).toBe("failed");
    expect(charged.outputTokens).toBeLessThan(LONG.max_tokens);
    // The charged tokens are what the client received: repeating them gives the same text.
    const again = await reply({ ...LONG, max_tokens: charged.outputTokens });
    expect(contentOf(text)).toBe(again.content);
    expect((await reply(SHORT)).content).toBe(expected);
    expect(await lostReasons()).toEqual([expect.stringMatching(reason)]);
  },
);

test("a reply that nobody has seen a part of is made again on a fresh engine, and charged once", async () => {
  const whole = await reply(LONG);
  const before = await page.evaluate(
    async () => (await (globalThis as unknown as RunningPage).runtime.usage.list()).length,
  );
  // At an arbitrary point of the reply.
  const asked = reply(LONG);
  await inEngine(AT_NEXT_COMMAND("this.destroy()"));
  expect((await asked).content).toBe(whole.content);
  const usage = await page.evaluate(() => (globalThis as unknown as RunningPage).runtime.usage.list());
  expect(usage.length).toBe(before + 1);
  expect(usage.at(-1)).toMatchObject({ outcome: "completed", outputTokens: LONG.max_tokens });
  expect(await lostReasons()).toEqual([expect.stringMatching(/device was lost/)]);
});

test("an engine that is lost again and again is a clear 503, and no loop", async () => {
  const destroyer = AT_NEXT_COMMAND("this.destroy()");
  page.on("worker", (worker) => {
    if (worker.url().endsWith("/worker/webllm.js")) worker.evaluate(destroyer).catch(() => {});
  });
  await inEngine(destroyer);
  const before = await lastUsage();
  const { status, text } = await ask(SHORT);
  expect(status).toBe(503);
  expect(JSON.parse(text).error).toMatchObject({
    code: "engine_unavailable",
    message: expect.stringMatching(/twice in a row.*device was lost/),
  });
  expect(await lastUsage()).toEqual(before);
});
