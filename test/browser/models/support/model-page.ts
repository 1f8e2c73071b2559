/** A page with a runtime, in its own browser; all files come from a server that can fail on demand. */

import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright";
import { chromiumArguments, findChromium } from "../../../../scripts/browsers/chromium.ts";
import { contentTypes } from "../../../../src/bundlers/content-types.ts";
import { distFolder } from "../../../../vite.config.ts";
import { type FlakyServer, startFlakyServer } from "../../../support/flaky-server.ts";

const PAGE = new TextEncoder().encode("<!doctype html><title>infetch</title>");

/** Globals that the page's script sets. */
export interface RunningPage {
  runtime: import("infetch").Runtime;
  engineEvents: import("infetch").EngineEvent[];
  progress: import("infetch").ModelProgressEvent[];
}

export interface ModelPage {
  server: FlakyServer;
  context: BrowserContext;
  page: Page;
  /** Reopens the page, with a new runtime on the same storage. */
  open(options?: import("infetch").RuntimeOptions): Promise<void>;
  /** Posts a request, to chat completions by default. @returns status and body */
  ask(body: object, path?: string): Promise<{ status: number; body: Answer }>;
  /** Ranges requested of a file so far. */
  ranges(name: string): (string | undefined)[];
  close(): Promise<void>;
}

export interface Answer {
  error?: { code: string; message: string };
  choices?: { message: { content: string } }[];
}

export async function startModelPage(): Promise<ModelPage> {
  const server = await startFlakyServer(async (path) => {
    if (path === "/") return { bytes: PAGE, type: "text/html" };
    try {
      const bytes = await readFile(join(distFolder, normalize(path)));
      return { bytes, type: contentTypes[extname(path)] ?? "application/octet-stream" };
    } catch {
      return undefined;
    }
  });
  const browser: Browser = await chromium.launch({
    executablePath: findChromium(),
    args: chromiumArguments,
  });
  const context = await browser.newContext();
  const page = await context.newPage();
  return {
    server,
    context,
    page,
    async open(options = {}) {
      await page.goto(server.origin);
      await page.addScriptTag({
        type: "module",
        content: `import { createRuntime } from "/index.js";
          globalThis.engineEvents = [];
          globalThis.progress = [];
          const runtime = await createRuntime(${JSON.stringify(options)});
          runtime.on("engine", (event) => engineEvents.push(event));
          runtime.on("progress", (event) => progress.push(event));
          globalThis.runtime = runtime;`,
      });
      await page.waitForFunction("globalThis.runtime");
    },
    ask: (body, path = "/chat/completions") =>
      page.evaluate(
        async ([address, json]) => {
          const { runtime } = globalThis as unknown as RunningPage;
          const response = await runtime.fetch(runtime.baseURL + address, {
            method: "POST",
            headers: { authorization: `Bearer ${runtime.apiKey}`, "content-type": "application/json" },
            body: json!,
          });
          return { status: response.status, body: await response.json() };
        },
        [path, JSON.stringify(body)],
      ),
    ranges: (name) => server.seen.filter(({ path }) => path.endsWith(name)).map(({ range }) => range),
    async close() {
      await browser.close();
      await server.close();
    },
  };
}
