/**
 * `npx tsx bench/large-file/main.ts [--browser firefox] [--spacing 64] [--store-only]`: loads a GGUF file of more than 2 GB
 * in a real browser through the built package, and prints how long each step takes. The server makes up the bytes as
 * they are read: the built-in model with zeros between its tensors. `--store-only`: the model store alone, for browsers
 * where llama.cpp reads no such file. Needs 4 GB of free disk space.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { chromium } from "playwright";
import type { GgufLayout } from "../../models/gguf/gguf-file.ts";
import { findChromium, withoutWebGPU } from "../../scripts/browsers/chromium.ts";
import type { DrivenPage } from "../../scripts/browsers/driven-browser.ts";
import { findFirefox, startFirefox } from "../../scripts/browsers/firefox.ts";
import { ensureBuilt } from "../../scripts/build/ensure-built.ts";
import { closeServer, listen, serveFile } from "../../scripts/servers/static-server.ts";
import { runCommand } from "../../scripts/shared/command.ts";
import { contentTypes } from "../../src/bundlers/content-types.ts";
import { readLayout, sendLayout, spreadGguf } from "./spread-gguf.ts";

const DIST = resolve(import.meta.dirname, "../../dist");
const MODEL = "large";
/** JSPI, which Firefox 140 has behind this preference. */
const JSPI = { "javascript.options.wasm_js_promise_integration": true };

/** What a page needs to store, list, verify and delete files. */
const STORE = ["environment", "fetch-model-file", "inventory", "maintenance"]
  .map((name) => `export * from "./worker/model-store/${name}.ts";`)
  .join("\n");

type Step = <T>(name: string, work: string) => Promise<T>;

interface Opened {
  page: Pick<DrivenPage, "goto" | "evaluate">;
  close(): Promise<void>;
}

/** A profile on disk: in a private window, Chromium's caches are in memory. */
async function openChromium(): Promise<Opened> {
  const profile = await mkdtemp(join(tmpdir(), "infetch-chromium-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: findChromium(),
    args: withoutWebGPU,
    headless: true,
  });
  const page = await context.newPage();
  return {
    page: {
      goto: async (url) => void (await page.goto(url)),
      evaluate: (work, argument) => page.evaluate(work as never, argument) as never,
    },
    async close() {
      await context.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function openFirefox(): Promise<Opened> {
  const browser = await startFirefox(findFirefox()!, JSPI);
  return { page: await browser.newPage(), close: () => browser.close() };
}

async function bundleStore(): Promise<Uint8Array> {
  const stdin = { contents: STORE, resolveDir: resolve(import.meta.dirname, "../.."), loader: "ts" } as const;
  const { outputFiles } = await build({ stdin, bundle: true, format: "esm", write: false });
  return outputFiles[0]!.contents;
}

async function storeOnly(step: Step, layout: GgufLayout): Promise<void> {
  const far = layout.pieces.at(-1)!;
  const expected = JSON.stringify([...readLayout(layout, far.at - 10, far.at + 10)]);
  await step(
    "start",
    `window.store = await import("/store.js");
     window.environment = store.browserEnvironment();
     const url = location.origin + "/hub/resolve/main/${MODEL}.gguf";
     const file = { name: "${MODEL}.gguf", bytes: ${layout.bytes} };
     window.stored = { url, cache: "infetch/gguf", key: url, file };
     return { jspi: "Suspending" in WebAssembly, ...(await navigator.storage.estimate()) };`,
  );
  const FETCH = `window.blob = await store.fetchModelFile(stored, { environment }); return blob.size;`;
  const LIST = `return (await store.listEntries(environment))
    .map(({ bytes, isPart, segments }) => ({ bytes, isPart, segments: segments?.length }));`;
  await step("download, store", FETCH);
  await step("list", LIST);
  await step(
    "verify",
    `return store.verifyEntries(await store.listEntries(environment), new Map(), environment);`,
  );
  await step("from storage", FETCH);
  await step(
    "bytes beyond 2 GiB",
    `const bytes = new Uint8Array(await blob.slice(${far.at - 10}, ${far.at + 10}).arrayBuffer());
     return JSON.stringify([...bytes]) === "${expected}" ? "right, at ${far.at}" : [...bytes];`,
  );
  await step("usage", `return (await navigator.storage.estimate()).usage;`);
  await step(
    "delete",
    `await store.deleteEntries(await store.listEntries(environment), environment); ${LIST}`,
  );
}

async function wholeRuntime(step: Step): Promise<void> {
  await step(
    "start",
    `const { createRuntime } = await import("/index.js");
     window.runtime = await createRuntime({ hub: { url: "/hub/" } });
     await runtime.deployments.create({ name: "${MODEL}", model: "acme/large-GGUF", file: "${MODEL}.gguf" });
     return { jspi: "Suspending" in WebAssembly, ...(await navigator.storage.estimate()) };`,
  );
  const CHAT = `const response = await runtime.fetch(runtime.baseURL + "/chat/completions", { method: "POST",
    headers: { authorization: "Bearer " + runtime.apiKey },
    body: JSON.stringify({ model: "${MODEL}", temperature: 0,
      messages: [{ role: "user", content: "What is the capital of Japan?" }] }) });
    const { choices, error } = await response.json();
    return choices?.[0].message.content ?? error;`;
  const CACHED = `return runtime.models.cached();`;
  await step("download, store, load", `return runtime.models.load("${MODEL}").catch((e) => e.message);`);
  await step("reply", CHAT);
  await step("list", CACHED);
  await step(
    "entries, in MiB",
    `const sizes = [];
     for (const name of ["infetch/gguf", "infetch/parts"]) {
       const cache = await caches.open(name);
       for (const key of await cache.keys())
         sizes.push(Math.round((await cache.match(key)).headers.get("content-length") / 2 ** 20));
     }
     return sizes;`,
  );
  await step("verify", `return runtime.models.verify("${MODEL}");`);
  await step("unload", `await runtime.models.unload("${MODEL}");`);
  await step("load from storage, reply", CHAT);
  await step("usage", `return (await navigator.storage.estimate()).usage;`);
  await step("delete", `await runtime.models.delete("${MODEL}"); ${CACHED}`);
}

/** Serves an empty page, the package, the model store and the file. */
function createHub(layout: GgufLayout, store: Uint8Array): Server {
  return createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://page");
    if (pathname.endsWith(`/${MODEL}.gguf`)) return sendLayout(layout, request, response);
    if (pathname === "/store.js")
      return void response.writeHead(200, { "content-type": contentTypes[".js"] }).end(store);
    if (pathname === "/")
      return void response.writeHead(200, { "content-type": contentTypes[".html"] }).end("<!doctype html>");
    return serveFile({ "/": DIST }, request, response);
  });
}

/** Runs a step in the page, and prints how long it took. */
function timedIn(page: Opened["page"]): Step {
  return async <T>(name: string, work: string) => {
    const startedAtMs = performance.now();
    const result = await page.evaluate<T>(`(async () => { ${work} })()`);
    const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1);
    console.log(`${name.padEnd(28)} ${seconds.padStart(7)} s  ${JSON.stringify(result)}`);
    return result;
  };
}

runCommand(async () => {
  const { values } = parseArgs({
    options: {
      browser: { type: "string", default: "chromium" },
      spacing: { type: "string", default: "64" },
      "store-only": { type: "boolean", default: false },
    },
  });
  if (!values["store-only"]) await ensureBuilt();
  const layout = await spreadGguf(Number(values.spacing) * 2 ** 20);
  const server = createHub(layout, await bundleStore());
  const origin = await listen(server, 0);
  const { page, close } = await (values.browser === "firefox" ? openFirefox() : openChromium());
  try {
    console.log(`${values.browser}, a file of ${(layout.bytes / 2 ** 30).toFixed(2)} GiB`);
    await page.goto(origin);
    const step = timedIn(page);
    await (values["store-only"] ? storeOnly(step, layout) : wholeRuntime(step));
  } finally {
    await close();
    await closeServer(server);
  }
});
