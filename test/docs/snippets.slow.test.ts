/** Runs every documented snippet verbatim in Chromium. */

import { join } from "node:path";
import { type Browser, chromium } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anyEngine, findChromium } from "../../scripts/browsers/chromium.ts";
import { closeServer, createStaticServer, listen } from "../../scripts/servers/static-server.ts";
import { blocksIn, fileNameOf, root } from "./support/blocks.ts";
import { folder, isServiceWorker, pack, prepare } from "./support/workshop.ts";

const blocks = blocksIn("ts");
/** Excludes named files: a page runs the service worker, its own test the testing guide. */
const runnable = blocks.filter((block) => block.notRun === undefined && fileNameOf(block) === undefined);

const server = createStaticServer({
  "/": folder,
  "/infetch/": join(root, "dist"),
  "/models/": join(root, "dist/models"),
});
let browser: Browser;
let origin: string;

beforeAll(async () => {
  await prepare(blocks);
  for (const worker of blocks.filter(isServiceWorker)) await pack(worker.code, "sw.js");
  origin = await listen(server, 0);
  browser = await chromium.launch({ executablePath: findChromium(), args: anyEngine });
});

afterAll(async () => {
  await browser?.close();
  await closeServer(server);
});

test.each(runnable.map((block) => [block.name, block] as const))("%s runs as it stands", async (_, block) => {
  await pack(block.code, "snippet.js");
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const faults: string[] = [];
    const said: string[] = [];
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("console", (message) => message.type() === "log" && said.push(message.text()));
    await page.goto(origin);
    // A snippet that creates a runtime is a whole program; any other needs the prelude.
    const isWhole = block.code.includes("createRuntime(");
    const modules = [...(isWhole ? [] : ["prelude.js"]), "snippet.js"].map((name) => `${origin}/${name}`);
    // As text: Vitest rewrites import() for Node.
    const work = modules.map((url) => `await import(${JSON.stringify(url)});`).join(" ");
    await page.evaluate(`(async () => { ${work} })()`);
    expect(faults).toEqual([]);
    if (/^console\.log\(/m.test(block.code)) await expect.poll(() => said.join("")).toMatch(/\w/);
    if (block.name.startsWith("README.md")) expect(await page.textContent("body")).toMatch(/\w/);
  } finally {
    await context.close();
  }
});
