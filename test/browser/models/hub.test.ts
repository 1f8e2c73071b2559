/**
 * A chat model of the hub, named as in web-llm's list, from deployment to reply. The stand-in hub has the built-in
 * model's files under that name, for the members of a gated repository; requests to the library's host are intercepted.
 */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chromiumArguments, findChromium } from "../../../scripts/browsers/chromium.ts";
import { HubRepository } from "../../../scripts/hub/repository.ts";
import { StandInHub } from "../../../scripts/hub/stand-in-hub.ts";
import { type FolderServer, serveFolders } from "../../../scripts/servers/serve-folders.ts";
import { distFolder } from "../../../vite.config.ts";

const HUB_ID = "mlc-ai/SmolLM2-360M-Instruct-q4f32_1-MLC";
const builtIn = join(distFolder, "models/infetch-tiny");
const TOKEN = "hf_member";
const repository = new HubRepository(HUB_ID);
let hub: StandInHub;
let server: FolderServer;
let browser: Browser;
let page: Page;
const libraries: string[] = [];

beforeAll(async () => {
  for (const name of await readdir(builtIn))
    repository.commit({ [name]: await readFile(join(builtIn, name)) });
  const { files } = repository.resolve("main")!;
  repository.commit({ ...Object.fromEntries(files), "README.md": "The next version." }, "release/v2");
  repository.access = "gated";
  const tokens = new Map([[TOKEN, [HUB_ID]]]);
  [hub, server] = await Promise.all([
    StandInHub.start([repository], { tokens }),
    serveFolders({ package: distFolder }),
  ]);
  browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
  const context: BrowserContext = await browser.newContext();
  await context.route(/-webgpu\.wasm$/, async (route) => {
    libraries.push(route.request().url());
    const body = await readFile(join(builtIn, "model-library.wasm"));
    await route.fulfill({ body, headers: { "access-control-allow-origin": "*" } });
  });
  page = await context.newPage();
});

/** Opens the page anew, with a runtime on the same storage. */
async function open(token?: string): Promise<void> {
  hub.seen = [];
  await page.goto(server.origin);
  await page.addScriptTag({
    type: "module",
    content: `import { createRuntime } from "/package/index.js";
      window.runtime = await createRuntime({ hub: ${JSON.stringify({ url: hub.url, token })} });`,
  });
  await page.waitForFunction("window.runtime");
}

afterAll(async () => {
  await browser?.close();
  server?.close();
  await hub?.close();
});

function chat(model: string): Promise<{ status: number; body: Record<string, never> }> {
  return page.evaluate(async (id) => {
    const { runtime } = window as never as { runtime: import("infetch").Runtime };
    const response = await runtime.fetch(`${runtime.baseURL}/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${runtime.apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ model: id, messages: [{ role: "user", content: "Hello" }], max_tokens: 8 }),
    });
    return { status: response.status, body: await response.json() };
  }, model);
}

test("a model of the hub runs once it is deployed, and only what it needs is asked for", async () => {
  await open(TOKEN);
  expect((await chat(HUB_ID)).status).toBe(404);
  expect(hub.seen).toEqual([]);
  await page.evaluate((model) => {
    const { runtime } = window as never as { runtime: import("infetch").Runtime };
    return runtime.deployments.create({ name: "small", model, contextWindow: 512 });
  }, HUB_ID);
  expect(hub.seen).toEqual([]);
  const { status, body } = await chat(HUB_ID);
  expect(body).toMatchObject({ model: HUB_ID, usage: { completion_tokens: expect.any(Number) } });
  expect(status).toBe(200);
  const { commit } = repository.resolve("main")!;
  expect(hub.seen).toContainEqual(
    expect.objectContaining({ method: "GET", path: `/${HUB_ID}/resolve/${commit}/params_shard_0.bin` }),
  );
  expect(libraries).toEqual([
    expect.stringMatching(/^https:\/\/.+\/v0_2_86\/base\/SmolLM2-360M-Instruct-q4f32_1_cs1k-webgpu\.wasm$/),
  ]);
});

test("a browser sends the token to the hub, and not to the CDN that it redirects to", () => {
  const asked = hub.seen.filter(({ method }) => method !== "OPTIONS");
  const tokensOf = (host: "hub" | "cdn") =>
    new Set(asked.filter((one) => one.host === host).map(({ authorization }) => authorization));
  expect(tokensOf("hub")).toEqual(new Set([`Bearer ${TOKEN}`]));
  expect(tokensOf("cdn")).toEqual(new Set([undefined]));
  expect(hub.seen.filter(({ host, method }) => host === "cdn" && method === "OPTIONS")).toEqual([]);
});

test("a model that is stored needs neither the token nor the hub; without it, it is gated again", async () => {
  await open();
  expect((await chat("small")).status).toBe(200);
  expect(hub.seen).toEqual([]);
  await page.evaluate(() =>
    (window as never as { runtime: import("infetch").Runtime }).runtime.models.delete("small"),
  );
  await open();
  expect(await chat("small")).toMatchObject({ status: 403, body: { error: { code: "model_gated" } } });
});

test("a branch with a slash in its name runs at its commit, and is stored under its own addresses", async () => {
  await open(TOKEN);
  const model = `${HUB_ID}@release/v2`;
  await page.evaluate((model) => {
    const { runtime } = window as never as { runtime: import("infetch").Runtime };
    return runtime.deployments.create({ name: "next", model, contextWindow: 512 });
  }, model);
  expect((await chat(model)).status).toBe(200);
  const { commit } = repository.resolve("release/v2")!;
  expect(hub.seen).toContainEqual(
    expect.objectContaining({ method: "GET", path: `/${HUB_ID}/resolve/${commit}/params_shard_0.bin` }),
  );
  await open();
  expect((await chat("next")).status).toBe(200);
  expect(hub.seen).toEqual([]);
});
