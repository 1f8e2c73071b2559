/**
 * `npx tsx scripts/large-file.ts [--browser firefox] [--spacing 64]`: loads a GGUF file of more than 2 GB in a real
 * browser through the built package, and prints how long each step takes. The server makes up the bytes as they are
 * read: the built-in model with zeros between its tensors. Needs 4 GB of free disk space.
 */

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize, resolve } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright";
import { contentTypes } from "../src/bundlers/content-types.ts";
import { sendLayout, spreadGguf } from "../test/support/gguf/spread.ts";
import type { DrivenPage } from "./browsers/driven-browser.ts";
import { findFirefox, startFirefox } from "./browsers/firefox.ts";
import { findChromium, withoutWebGPU } from "./chromium.ts";
import { runCommand } from "./command.ts";
import { ensureBuilt } from "./ensure-built.ts";
import { listen } from "./static-server.ts";

const DIST = resolve(import.meta.dirname, "../dist");
const MODEL = "large";
/** JSPI, which Firefox 140 has behind this preference. */
const JSPI = { "javascript.options.wasm_js_promise_integration": true };

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

runCommand(async () => {
  const { values } = parseArgs({
    options: {
      browser: { type: "string", default: "chromium" },
      spacing: { type: "string", default: "64" },
    },
  });
  await ensureBuilt();
  const layout = await spreadGguf(Number(values.spacing) * 2 ** 20);
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url ?? "/", "http://page").pathname);
    if (path.endsWith(`/${MODEL}.gguf`)) return sendLayout(layout, request, response);
    const body = path === "/" ? "<!doctype html>" : await readFile(join(DIST, path)).catch(() => undefined);
    response.writeHead(body === undefined ? 404 : 200, {
      "content-type": contentTypes[path === "/" ? ".html" : extname(path)] ?? "application/octet-stream",
    });
    response.end(body);
  });
  const origin = await listen(server, 0);
  const { page, close } = await (values.browser === "firefox" ? openFirefox() : openChromium());
  const step = async <T>(name: string, work: string): Promise<T> => {
    const begun = performance.now();
    const result = await page.evaluate<T>(`(async () => { ${work} })()`);
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    console.log(`${name.padEnd(28)} ${seconds.padStart(7)} s  ${JSON.stringify(result)}`);
    return result;
  };
  try {
    console.log(`${values.browser}, a file of ${(layout.bytes / 2 ** 30).toFixed(2)} GiB`);
    await page.goto(origin);
    await step(
      "start",
      `const { createRuntime } = await import("/index.js");
       globalThis.runtime = await createRuntime({ hub: { url: "/hub/" } });
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
    await step("download, store, load", `await runtime.models.load("${MODEL}").catch((e) => e.message);`);
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
  } finally {
    await close();
    server.closeAllConnections();
    server.close();
  }
});
