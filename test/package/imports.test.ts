/**
 * Every exported module imports without errors or side effects in Node, pages, workers and service workers; plugins of
 * bundlers in Node.
 */

import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { type Browser, chromium, type Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chromiumArguments, findChromium } from "../../scripts/browsers/chromium.ts";
import { serveFolders } from "../../scripts/servers/serve-folders.ts";
import { distFolder } from "../../vite.config.ts";

const root = resolve(import.meta.dirname, "../..");
/** Imports comlink from the app by its bare name, which needs a bundler or an import map. */
const PORT = "port.js";
/** Plugins of bundlers, for Node alone. */
const FOR_NODE = ["vite.js", "webpack.js"];
/** Paths of all other modules, below `dist`. */
let modules: string[];
let browser: Browser;
let page: Page;
let server: Awaited<ReturnType<typeof serveFolders>>;
/** Folder of service worker scripts, each of which imports one module. */
let workers: string;

/** WebKit re-evaluates a worker's script for a module that imports it: a second server with duplicate classes. */
test("no file of the package imports the script of a worker", async () => {
  const files = (await readdir(join(distFolder, "worker"))).filter((name) => name.endsWith(".js"));
  const scripts = files.filter((name) => !/^server-/.test(name));
  expect(scripts).toContain("server.js");
  for (const file of files) {
    const text = await readFile(join(distFolder, "worker", file), "utf8");
    const imported = [...text.matchAll(/(?:from|import\()\s*["'`]\.\/([\w-]+\.js)["'`]/g)].map(
      ([, name]) => name,
    );
    expect(
      scripts.filter((name) => imported.includes(name)),
      file,
    ).toEqual([]);
  }
});

/** The modules that `exports` names, patterns included. */
async function exportedModules(): Promise<string[]> {
  const { exports } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  // Entries of types alone have no module.
  const targets = Object.values<string | { default?: string }>(exports)
    .map((target) => (typeof target === "string" ? target : target.default))
    .filter((target) => target !== undefined);
  const files = (await readdir(distFolder, { recursive: true })).map((path) => `./dist/${path}`);
  const isNamed = (file: string) =>
    targets.some((target) => {
      const [before, after] = target.split("*");
      return after === undefined ? file === target : file.startsWith(before!) && file.endsWith(after);
    });
  return files.filter((file) => file.endsWith(".js") && isNamed(file)).map((file) => relative("dist", file));
}

beforeAll(async () => {
  modules = (await exportedModules()).filter((path) => ![PORT, ...FOR_NODE].includes(path));
  workers = await mkdtemp(join(tmpdir(), "infetch-imports-"));
  for (const [at, path] of modules.entries()) {
    await writeFile(join(workers, `${at}.js`), `import "/package/${path}";`);
  }
  server = await serveFolders({ package: distFolder, workers });
  browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
  page = await browser.newPage();
  // The app provides comlink; the entry that imports it resolves it through the import map.
  await page.route("**/comlink.js", async (route) =>
    route.fulfill({
      contentType: "text/javascript",
      body: await readFile(join(root, "node_modules/comlink/dist/esm/comlink.mjs"), "utf8"),
    }),
  );
  await page.goto(server.origin);
});

afterAll(async () => {
  await browser?.close();
  server?.close();
  await rm(workers, { recursive: true, force: true });
});

test("all of them are here", () => {
  expect(modules).toEqual(
    expect.arrayContaining(["index.js", "install.js", "service-worker.js", "worker/server.js"]),
  );
  expect(modules.length).toBeGreaterThan(10);
});

test("in Node, and in what Node renders", async () => {
  const script = `for (const url of process.argv.slice(1)) {
    await import(url).catch((error) => console.log(url, error.message));
  }
  const { answerRequests } = await import(process.argv.find((url) => url.endsWith("dist/service-worker.js")));
  try { answerRequests() } catch ({ code }) { console.log(code) }`;
  const urls = [...modules, PORT, ...FOR_NODE].map((path) => pathToFileURL(join(distFolder, path)).href);
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--input-type=module",
    "-e",
    script,
    ...urls,
  ]);
  expect(stdout.trim()).toBe("not_in_a_service_worker");
});

/** A script that imports all paths and returns the error messages. */
const importAll = (paths: string[], origin: string) => `Promise.all(${JSON.stringify(paths)}.map((path) =>
  import("${origin}/package/" + path).then(() => [], (error) => [path + ": " + error.message]))).then((all) => all.flat())`;

test("in a page", async () => {
  await page.setContent(`<script type="importmap">{"imports": {"comlink": "/comlink.js"}}</script>`);
  expect(await page.evaluate(importAll([...modules, PORT], server.origin))).toEqual([]);
});

test("in a worker", async () => {
  const failures = await page.evaluate(
    async (script) => {
      const url = URL.createObjectURL(
        new Blob([`${script}.then((all) => postMessage({ all }))`], { type: "text/javascript" }),
      );
      const worker = new Worker(url, { type: "module" });
      return new Promise((resolve) => {
        worker.onmessage = ({ data }) => data.all && resolve(data.all);
        worker.onerror = ({ message }) => resolve([message]);
      });
    },
    importAll(modules, server.origin),
  );
  expect(failures).toEqual([]);
});

test("in a service worker", async () => {
  const failures = await page.evaluate(async (count) => {
    const all = Array.from({ length: count }, async (_, at) => {
      try {
        await navigator.serviceWorker.register(`/workers/${at}.js`, {
          type: "module",
          scope: `/workers/${at}/`,
        });
        return [];
      } catch (error) {
        return [`${at}: ${(error as Error).message}`];
      }
    });
    return (await Promise.all(all)).flat();
  }, modules.length);
  // A module that fails prevents its registration; the browser's error names the script.
  expect(failures).toEqual([]);
});
