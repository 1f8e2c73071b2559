/** The package as its users get it: packed, installed into an empty folder, run from plain files. */

import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { chromium } from "playwright";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chromiumArguments, findChromium } from "../../scripts/chromium.ts";
import { closeServer, createStaticServer, listen } from "../../scripts/static-server.ts";

const root = resolve(import.meta.dirname, "../..");
const npm = (args: string[], cwd: string) => promisify(execFile)("npm", args, { cwd });
let folder: string;
let packed: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "infetch-package-"));
  const { stdout } = await npm(["pack", "--ignore-scripts", "--json", "--pack-destination", folder], root);
  const [tarball] = JSON.parse(stdout) as { filename: string; files: { path: string }[] }[];
  packed = tarball!.files.map((file) => file.path);
  await cp(resolve(root, "test/fixtures/plain-app"), folder, { recursive: true });
  const install = ["install", "--ignore-scripts", "--offline", "--no-audit", "--no-fund"];
  await npm([...install, `./${tarball!.filename}`], folder);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test("it holds what runs and what the licences ask for, and no source", () => {
  expect(packed).toEqual(
    expect.arrayContaining([
      "LICENSE",
      "NOTICE",
      "README.md",
      "dist/index.js",
      "dist/types/index.d.ts",
      "dist/worker/server.js",
      "dist/worker/webllm.js",
      "dist/models/infetch-tiny/params_shard_0.bin",
      "dist/models/infetch-tiny/model-library.wasm",
    ]),
  );
  const others = packed.filter((path) => !/^(dist\/|(LICENSE|NOTICE|README\.md|package\.json)$)/.test(path));
  expect(others).toEqual([]);
});

test("NOTICE names everything that is bundled", async () => {
  const notice = await readFile(resolve(root, "NOTICE"), "utf8");
  for (const name of [
    "@mlc-ai/web-llm",
    "Apache TVM",
    "XGrammar",
    "tokenizers-cpp",
    "comlink",
    "hono",
    "zod",
  ]) {
    expect(notice).toContain(name);
  }
});

test("publint has nothing to say", async () => {
  const facts = JSON.parse(await readFile(resolve(root, "package.json"), "utf8"));
  const { messages } = await publint({ pkgDir: root, strict: true });
  expect(messages.map((message) => formatMessage(message, facts))).toEqual([]);
});

test("installing it installs nothing else", async () => {
  const modules = (await readdir(join(folder, "node_modules"))).filter((name) => !name.startsWith("."));
  expect(modules).toEqual(["infetch"]);
});

test("a plain page gets a reply from it", async () => {
  const server = createStaticServer({ "/": folder });
  const address = await listen(server, 0);
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
  try {
    const page = await browser.newPage();
    const foreign: string[] = [];
    const errors: string[] = [];
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(address) && !url.startsWith("data:")) foreign.push(url);
    });
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(address);
    await page.waitForFunction(() => document.title === "answered", undefined, { timeout: 120_000 });
    const { status, reply } = JSON.parse((await page.textContent("body"))!);
    expect(status).toBe(200);
    expect(reply.choices[0].message.content.length).toBeGreaterThan(0);
    expect([...foreign, ...errors]).toEqual([]);
  } finally {
    await browser.close();
    await closeServer(server);
  }
});
