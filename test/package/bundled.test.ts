/** The package from its tarball, in apps that a bundler packs: each gets a real reply in Chromium. */

import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright";
import { build } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import webpack from "webpack";
import { chromiumArguments, findChromium } from "../../scripts/chromium.ts";
import { closeServer, createStaticServer, listen } from "../../scripts/static-server.ts";

const root = resolve(import.meta.dirname, "../..");
const APP = "app.js";
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "infetch-bundled-"));
  const npm = (args: string[], cwd: string) => promisify(execFile)("npm", args, { cwd });
  const { stdout } = await npm(["pack", "--ignore-scripts", "--json", "--pack-destination", folder], root);
  const [tarball] = JSON.parse(stdout) as { filename: string }[];
  await writeFile(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  const install = ["install", "--ignore-scripts", "--offline", "--no-audit", "--no-fund"];
  await npm([...install, `./${tarball!.filename}`], folder);
  const plain = resolve(root, "test/fixtures/plain-app");
  const source = await readFile(join(plain, APP), "utf8");
  const bundled = source
    .replace("./node_modules/infetch/dist/index.js", "infetch")
    .replace("createRuntime()", 'createRuntime({ assetsURL: "/infetch/" })');
  await writeFile(join(folder, APP), bundled);
  await writeFile(
    join(folder, "small.js"),
    'import { isInfetchError } from "infetch";\nglobalThis.is = isInfetchError;\n',
  );
  await cp(join(plain, "index.html"), join(folder, "index.html"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function packWithWebpack(entry: string, output: string): Promise<void> {
  const compiler = webpack({
    mode: "production",
    context: folder,
    entry: `./${entry}`,
    experiments: { outputModule: true },
    output: { path: output, filename: APP, module: true },
    performance: { hints: false },
  });
  const stats = await promisify(compiler.run.bind(compiler))();
  await promisify(compiler.close.bind(compiler))();
  expect(stats?.toJson({ all: false, errors: true, warnings: true })).toMatchObject({
    errors: [],
    warnings: [],
  });
}

/** Serves the app with the package's files copied beside it, and reads what the page shows. */
async function expectReply(app: string): Promise<void> {
  const server = createStaticServer({ "/": app, "/infetch/": join(folder, "node_modules/infetch/dist") });
  const address = await listen(server, 0);
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
  try {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(address);
    await page.waitForFunction(() => document.title === "answered", undefined, { timeout: 120_000 });
    const { status, reply } = JSON.parse((await page.textContent("body"))!);
    expect(status).toBe(200);
    expect(reply.choices[0].message.content.length).toBeGreaterThan(0);
    expect(errors).toEqual([]);
  } finally {
    await browser.close();
    await closeServer(server);
  }
}

test("an app that Vite builds gets a reply", async () => {
  const outDir = join(folder, "vite");
  await build({ configFile: false, root: folder, logLevel: "warn", build: { outDir } });
  await expectReply(outDir);
});

test("an app that webpack builds gets a reply", async () => {
  const output = join(folder, "webpack");
  await mkdir(output);
  await cp(join(folder, "index.html"), join(output, "index.html"));
  await packWithWebpack(APP, output);
  await expectReply(output);
});

test("an app that imports only isInfetchError gets less than half of the entry", async () => {
  const output = join(folder, "small");
  await packWithWebpack("small.js", output);
  const sizeOf = async (path: string) => gzipSync(await readFile(path)).byteLength;
  const whole = await sizeOf(join(folder, "node_modules/infetch/dist/index.js"));
  expect(await sizeOf(join(output, APP))).toBeLessThan(whole / 2);
});
