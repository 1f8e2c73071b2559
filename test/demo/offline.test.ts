/** The console as an app: installable, fully offline after one visit, and updated without data loss. */

import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { resolve } from "node:path";
import { type Browser, type BrowserContext, chromium, expect, type Page, test } from "@playwright/test";
import { chromiumArguments, findChromium, withoutWebGPU } from "../../scripts/browsers/chromium.ts";
import { closeServer, listen, serveFile } from "../../scripts/servers/static-server.ts";
import { NO_64_BIT_MEMORY } from "../support/no-64-bit-memory.ts";
import { say } from "./demo-page.ts";

const root = resolve(import.meta.dirname, "../..");
const folder = resolve(root, ".build/demo");
const MOUNTS = { "/": folder, "/fixtures/": resolve(root, "test/fixtures") };

let server: Server;
let address: string;
/** Responses that replace files, by path. */
let newer: Record<string, string>;
let browser: Browser;
let context: BrowserContext;
let page: Page;

test.beforeEach(async () => {
  newer = {};
  server = createServer((request, response) => {
    const path = (request.url ?? "").split("?")[0]!;
    const text = newer[path];
    if (text === undefined) return void serveFile(MOUNTS, request, response);
    const type = path.endsWith(".js") ? "text/javascript" : "text/html";
    response.writeHead(200, { "content-type": type, "cache-control": "no-cache" }).end(text);
  });
  address = await listen(server, 0);
  await launch(chromiumArguments);
});

async function launch(args: string[]): Promise<void> {
  browser = await chromium.launch({ executablePath: findChromium(), args });
  // Pages of the other tests have no service worker (`playwright.config.ts`).
  context = await browser.newContext({ serviceWorkers: "allow" });
  page = await context.newPage();
}

test.afterEach(async () => {
  await browser?.close();
  await closeServer(server);
});

/** Opens the console and waits until it is fully cached. */
async function visit(): Promise<void> {
  await page.goto(`${address}/`);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
}

for (const [how, isOld] of [
  ["as kept after one visit", false],
  ["as a browser without 64-bit memory keeps it after a chat", true],
] as const) {
  test(`${how}: without WebGPU and without a server the console chats in llama.cpp`, async () => {
    await browser.close();
    await launch(withoutWebGPU);
    if (isOld) {
      const script = await readFile(resolve(folder, "infetch/worker/llamacpp.js"), "utf8");
      newer = { "/infetch/worker/llamacpp.js": NO_64_BIT_MEMORY + script };
    }
    await visit();
    if (isOld) {
      await page.reload();
      expect(await useAll({}, "infetch-tiny-embed")).toMatchObject(some);
    }
    await cutNetwork();
    expect((await fetch(address).catch((error) => error)) instanceof Error).toBe(true);
    await page.goto(`${address}/#/chat`);
    await page.reload();
    await say(page, "Hello!");
    const reply = page.locator(".message.assistant").first();
    expect(await reply.locator(".markdown, .plain").textContent()).toMatch(/./);
    expect(await useAll({}, "infetch-tiny-embed")).toMatchObject(some);
  });
}

/** Stops the server and sets the browser offline. */
async function cutNetwork(): Promise<void> {
  await closeServer(server);
  await context.setOffline(true);
  // Chromium 150 emulates it for the current document only: after a reload it is true again.
  await page.addInitScript(() => Object.defineProperty(Navigator.prototype, "onLine", { get: () => false }));
}

const OWN_MODEL = "own-embed";

/** Sends one request of each kind with the page's package, then reads the invoice. */
async function useAll(options: object, embeddingModel: string): Promise<Record<string, unknown>> {
  await page.evaluate(`import("/infetch/index.js").then((module) => { window.infetch = module; })`);
  return page.evaluate(
    async ({ options, embeddingModel }) => {
      const { createRuntime } = (window as unknown as { infetch: typeof import("infetch") }).infetch;
      const runtime = await createRuntime(options);
      const send = async (path: string, body?: object) => {
        const headers = { authorization: `Bearer ${runtime.apiKey}` };
        const init = body ? { method: "POST", body: JSON.stringify(body), headers } : { headers };
        return (await runtime.fetch(runtime.baseURL + path, init)).json();
      };
      const messages = [{ role: "user", content: "Hello!" }];
      const chat = await send("/chat/completions", { model: "infetch-tiny", messages, max_tokens: 4 });
      const embeddings = await send("/embeddings", { model: embeddingModel, input: "A short text" });
      const invoice = await send("/billing/invoices/current");
      runtime.close();
      return {
        reply: chat.choices?.[0].message.content ?? chat,
        numbers: embeddings.data?.[0].embedding.length ?? embeddings,
        lines: invoice.line_items?.length ?? invoice,
      };
    },
    { options, embeddingModel },
  );
}

const some = { reply: expect.stringMatching(/./), numbers: expect.any(Number) };

test("one visit is enough: without a network it opens, chats, embeds and shows the invoice", async () => {
  await visit();
  await page.goto(`${address}/#settings/preferences`);
  await page.getByText("You are online.").waitFor();
  await cutNetwork();
  await page.getByText("You are offline.").waitFor();
  await page.reload();
  await page.getByText("Ready").and(page.locator(":visible")).waitFor();
  const used = await useAll({}, "infetch-tiny-embed");
  expect(used).toMatchObject(some);
  expect(used.lines).toBeGreaterThan(1);
  await page.goto(`${address}/#settings/preferences`);
  await page.getByText("This console works without a network").waitFor();
  await page.getByText("Models on this device: infetch-tiny, infetch-tiny-embed").waitFor();
  await page.getByText("You are offline.").waitFor();
  expect((await fetch(address).catch((error) => error)) instanceof Error).toBe(true);
});

test("a model that was downloaded works without a network as well", async () => {
  const url = `${address}/fixtures/hub/acme/cls-embed/resolve/main/`;
  const models = [{ kind: "embedding", id: OWN_MODEL, url }];
  const options = { storageName: "own", models, embeddings: { device: "wasm" } };
  await visit();
  expect(await useAll(options, OWN_MODEL)).toMatchObject(some);
  await cutNetwork();
  await page.reload();
  expect(await useAll(options, OWN_MODEL)).toMatchObject(some);
});

test("a newer version waits until it is wanted, and loses neither downloads nor the ledger", async () => {
  await visit();
  const used = await useAll({}, "infetch-tiny-embed");
  const kept = () =>
    page.evaluate(async () => (await caches.keys()).filter((name) => !/precache/.test(name)));
  const downloads = await kept();
  expect(downloads.length).toBeGreaterThan(0);
  const html = await readFile(resolve(folder, "index.html"), "utf8");
  const worker = await readFile(resolve(folder, "service-worker.js"), "utf8");
  newer = {
    "/": html.replace("<title>", '<meta name="version" content="2" /><title>'),
    "/service-worker.js": worker.replace(
      /(index\.html`,revision:`|"index\.html",revision:"|index\.html","revision":")\w+/,
      "$1second",
    ),
  };
  newer["/index.html"] = newer["/"]!;
  expect(newer["/service-worker.js"]).not.toBe(worker);
  await page.goto(`${address}/#settings/preferences`);
  await page.reload();
  const version = page.locator("meta[name=version]");
  await page.getByRole("button", { name: "Update" }).waitFor();
  await expect(version).toHaveCount(0);
  await page.getByRole("button", { name: "Update" }).click();
  await expect.poll(() => version.count().catch(() => 0)).toBe(1);
  expect(await kept()).toEqual(expect.arrayContaining(downloads));
  await cutNetwork();
  await page.reload();
  await expect(version).toHaveCount(1);
  const after = await useAll({}, "infetch-tiny-embed");
  expect(after.lines).toBe(used.lines);
});

test("it can be installed", async () => {
  await visit();
  const session = await context.newCDPSession(page);
  const { errors, url } = await session.send("Page.getAppManifest");
  expect(url).toBe(`${address}/manifest.webmanifest`);
  expect(errors).toEqual([]);
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  // The only error allowed: incognito contexts cannot install apps.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito")).toEqual([]);
});
