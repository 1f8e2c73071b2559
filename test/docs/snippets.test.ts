/** Every snippet of the documents: typed as the code of a strict app, and run in Chromium as it stands. */

import { join } from "node:path";
import { type Browser, chromium } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chromiumArguments, findChromium } from "../../scripts/chromium.ts";
import { closeServer, createStaticServer, listen } from "../../scripts/static-server.ts";
import { type Block, blocksIn, fileNameOf, root } from "./support/blocks.ts";
import { checkTypes, folder, pack, prepare } from "./support/workshop.ts";

const blocks = blocksIn("ts");
const isServiceWorker = (block: Block): boolean => fileNameOf(block) === "sw.js";
/** Files of their own are run by others: the service worker by its page, the guide of testing by its test. */
const runnable = blocks.filter((block) => block.notRun === undefined && fileNameOf(block) === undefined);

test("only the guide of testing and service workers have files of their own", () => {
  const others = blocks.filter((block) => fileNameOf(block) !== undefined && !isServiceWorker(block));
  expect(new Set(others.map(({ name }) => name.replace(/:.*/, "")))).toEqual(new Set(["docs/testing.md"]));
});

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
  browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
});

afterAll(async () => {
  await browser?.close();
  await closeServer(server);
});

test("the types of an app that is strict hold in each of them", checkTypes);

test("few cannot be run here, and each says why", () => {
  const excused = blocks.filter(({ notRun }) => notRun !== undefined);
  for (const { name, notRun } of excused) console.log(`not run: ${name}: ${notRun}`);
  expect(excused.length).toBeLessThanOrEqual(6);
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
    // A snippet that makes a runtime is a whole program; any other goes on where the text before it has led.
    const isWhole = block.code.includes("createRuntime(");
    const modules = [...(isWhole ? [] : ["prelude.js"]), "snippet.js"].map((name) => `${origin}/${name}`);
    // As text: what Vitest makes of an import() is for Node.
    const work = modules.map((url) => `await import(${JSON.stringify(url)});`).join(" ");
    await page.evaluate(`(async () => { ${work} })()`);
    expect(faults).toEqual([]);
    if (/^console\.log\(/m.test(block.code)) await expect.poll(() => said.join("")).toMatch(/\w/);
    if (block.name.startsWith("README.md")) expect(await page.textContent("body")).toMatch(/\w/);
  } finally {
    await context.close();
  }
});
