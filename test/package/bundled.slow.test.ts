/** The packed package in apps built by each bundler: each app gets a real reply in Chromium. */

import { execFile } from "node:child_process";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import esbuild from "esbuild";
import type { ViteOptions } from "infetch/vite";
import type { InfetchPlugin } from "infetch/webpack";
import { chromium } from "playwright";
import { build, createServer, type Plugin } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import webpack, { type WebpackPluginInstance } from "webpack";
import { version } from "../../package.json" with { type: "json" };
import { chromiumArguments, findChromium } from "../../scripts/browsers/chromium.ts";
import { closeServer, createStaticServer, listen } from "../../scripts/servers/static-server.ts";
import type { AssetOptions } from "../../src/bundlers/asset-folder.ts";
import { expectReply, type Installed, installPackage } from "./support/tarball.ts";

const APP = "app.js";
let app: Installed;

beforeAll(async () => {
  app = await installPackage();
  const source = await readFile(join(app.folder, APP), "utf8");
  const bundled = source.replace("./node_modules/infetch/dist/index.js", "infetch");
  await writeFile(join(app.folder, APP), bundled);
  await writeFile(
    join(app.folder, "copied.js"),
    bundled.replace("createRuntime()", 'createRuntime({ assetsURL: "/infetch/" })'),
  );
  await writeFile(
    join(app.folder, "small.js"),
    'import { isInfetchError } from "infetch";\nglobalThis.is = isInfetchError;\n',
  );
});
afterAll(() => app?.remove());

/** A module of the installed package. */
const installed = (name: string) =>
  import(pathToFileURL(join(app.folder, "node_modules/infetch/dist", name)).href);
const vitePlugin = async (options?: ViteOptions): Promise<Plugin> =>
  ((await installed("vite.js")) as typeof import("infetch/vite")).infetch(options);
const webpackPlugin = async (options?: AssetOptions): Promise<InfetchPlugin> => {
  const { InfetchPlugin } = (await installed("webpack.js")) as typeof import("infetch/webpack");
  return new InfetchPlugin(options);
};

async function packWithWebpack(
  entry: string,
  output: string,
  plugins: WebpackPluginInstance[] = [],
): Promise<void> {
  const compiler = webpack({
    mode: "production",
    context: app.folder,
    entry: `./${entry}`,
    experiments: { outputModule: true },
    output: { path: output, filename: APP, module: true },
    plugins,
  });
  const stats = await promisify(compiler.run.bind(compiler))();
  await promisify(compiler.close.bind(compiler))();
  expect(stats?.toJson({ all: false, errors: true, warnings: true })).toMatchObject({
    errors: [],
    warnings: [],
  });
}

/** Bundles into a folder with the page, serves only that, below `/app/`, and expects a reply. */
async function expectReplyOf(
  name: string,
  pack: (output: string) => Promise<unknown>,
  path = "/app/",
): Promise<void> {
  const output = join(app.folder, name);
  await mkdir(output);
  await cp(join(app.folder, "index.html"), join(output, "index.html"));
  await pack(output);
  const server = createStaticServer({ [path]: output });
  try {
    await expectReply((await listen(server, 0)) + path);
  } finally {
    await closeServer(server);
  }
}

test.each(["./", "/app/"])("an app that Vite builds for the base %s gets a reply", (base) =>
  expectReplyOf(`vite${base.length}`, async (outDir) => {
    const plugins = [await vitePlugin({ engines: ["webllm", "transformers"] })];
    await build({
      configFile: false,
      root: app.folder,
      base,
      logLevel: "warn",
      plugins,
      build: { outDir, emptyOutDir: true },
    });
    const folders = (await readdir(join(outDir, "infetch"))).sort();
    expect(folders).toEqual(["models", "ort", "worker"]);
    expect(await readdir(join(outDir, "infetch/worker"))).not.toContain("llamacpp.js");
  }),
);

test("a library that Vite builds as a classic script finds its files after it has loaded", () =>
  expectReplyOf(
    "library",
    async (output) => {
      const source = await readFile(join(app.folder, APP), "utf8");
      const [first, ...rest] = source.split("\n").filter((line) => !line.startsWith("//"));
      const later = `${first}\nglobalThis.start = async () => {\n${rest.join("\n")}\n};\n`;
      await writeFile(join(app.folder, "library.js"), later);
      await build({
        configFile: false,
        root: app.folder,
        base: "./",
        logLevel: "warn",
        plugins: [await vitePlugin({ engines: ["webllm", "transformers"] })],
        build: {
          outDir: join(output, "library"),
          lib: { entry: "library.js", name: "Library", formats: ["iife"], fileName: () => "js/library.js" },
        },
      });
      // The page's policy forbids inline scripts.
      await writeFile(join(output, "start.js"), "onload = () => start();");
      const scripts = '<script src="library/js/library.js"></script><script src="start.js"></script>';
      const page = await readFile(join(output, "index.html"), "utf8");
      const changed = page.replace('<script type="module" src="app.js"></script>', scripts);
      await writeFile(join(output, "index.html"), changed);
    },
    "/app/pages/",
  ));

test("an app in Vite's development server gets a reply, isolated if asked", async () => {
  const server = await createServer({
    configFile: false,
    root: app.folder,
    cacheDir: join(app.folder, ".vite"),
    logLevel: "error",
    plugins: [await vitePlugin({ crossOriginIsolated: true })],
    server: { host: "127.0.0.1", port: 0 },
  });
  try {
    await server.listen();
    const address = server.resolvedUrls!.local[0]!;
    await expectReply(address);
    const { headers } = await fetch(address);
    expect(headers.get("cross-origin-embedder-policy")).toBe("require-corp");
    const other = await fetch(`${address}infetch/..%2fpackage.json`);
    expect(await other.text()).not.toContain('"infetch"');
  } finally {
    await server.close();
  }
});

test("an app that webpack builds gets a reply", () =>
  expectReplyOf("webpack", async (output) => packWithWebpack(APP, output, [await webpackPlugin()])));

test("an app that esbuild builds gets a reply from copied files", () =>
  expectReplyOf(
    "esbuild",
    async (outdir) => {
      const entryPoints = { app: join(app.folder, "copied.js") };
      const { warnings } = await esbuild.build({
        entryPoints,
        bundle: true,
        minify: true,
        format: "esm",
        splitting: true,
        outdir,
      });
      expect(warnings).toEqual([]);
      const folder = join(outdir, "infetch");
      const copy = promisify(execFile)("npx", ["infetch", "copy", folder], { cwd: app.folder });
      expect((await copy).stdout).toMatch(/^Copied \d+ files \(\d+\.\d MB\) to /);
    },
    "/",
  ));

test("files of another version are refused, with the command that replaces them", async () => {
  const output = join(app.folder, "esbuild");
  const workers = join(output, "infetch/worker");
  for (const name of (await readdir(workers)).filter((file) => file.startsWith("server"))) {
    const code = await readFile(join(workers, name), "utf8");
    await writeFile(join(workers, name), code.replaceAll(`\`${version}\``, "`0.0.0`"));
  }
  const server = createStaticServer({ "/": output });
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
  try {
    const page = await browser.newPage();
    const error = page.waitForEvent("pageerror");
    await page.goto(await listen(server, 0));
    expect((await error).message).toContain(
      `/infetch/worker/server.js is of infetch 0.0.0, the page's code of ${version}. Copy the package's files again (npx infetch copy`,
    );
  } finally {
    await browser.close();
    await closeServer(server);
  }
});

test("an app that imports only isInfetchError gets less than half of the entry", async () => {
  const output = join(app.folder, "small");
  await packWithWebpack("small.js", output);
  const sizeOf = async (path: string) => gzipSync(await readFile(path)).byteLength;
  const whole = await sizeOf(join(app.folder, "node_modules/infetch/dist/index.js"));
  expect(await sizeOf(join(output, APP))).toBeLessThan(whole / 2);
});
