/** A page with a runtime, driven from Node: it can be reloaded, and its processes measured. */

import { type Browser, type BrowserServer, chromium, type Page } from "playwright";
import { anyEngine, findChromium } from "../../../../scripts/browsers/chromium.ts";
import { type FolderServer, serveFolders } from "../../../../scripts/servers/serve-folders.ts";
import { distFolder } from "../../../../vite.config.ts";

export interface BatchPage {
  page: Page;
  /** Another tab of the same browser. */
  newPage(): Promise<Page>;
  /** The browser's. */
  processId: number;
  close(): Promise<void>;
}

/** A page on the package's origin, without a runtime yet. */
export async function openPage(): Promise<BatchPage> {
  const server: FolderServer = await serveFolders({ package: distFolder });
  const process: BrowserServer = await chromium.launchServer({
    executablePath: findChromium(),
    args: anyEngine,
  });
  const browser: Browser = await chromium.connect(process.wsEndpoint());
  const context = await browser.newContext();
  const newPage = async (): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(server.origin);
    return page;
  };
  const page = await newPage();
  return {
    page,
    newPage,
    processId: process.process().pid!,
    async close() {
      await browser.close();
      await process.close();
      server.close();
    },
  };
}

/** Creates `window.runtime`, and `window.call` for its `/v1`. */
export async function openRuntime(page: Page, storageName: string): Promise<void> {
  await page.addScriptTag({
    type: "module",
    content: `import { createRuntime } from "/package/index.js";
      const runtime = await createRuntime({ storageName: ${JSON.stringify(storageName)} });
      window.completed = {};
      runtime.on("batch", (event) => { window.completed[event.id] = event.completed; });
      window.call = (path, init) => runtime.fetch(runtime.baseURL + path, {
        ...init,
        headers: { authorization: "Bearer " + runtime.apiKey },
      });
      window.runtime = runtime;`,
  });
  await page.waitForFunction("window.runtime");
}

/** The page's own globals, once a runtime is open. */
export interface RuntimeWindow {
  runtime: import("infetch").Runtime;
  call(path: string, init?: RequestInit): Promise<Response>;
  /** Number of completed lines, by batch id. */
  completed: Record<string, number>;
}

/** Uploads a file of lines and creates a batch. @returns its id */
export function submitIn(page: Page, lines: string[], endpoint: string): Promise<string> {
  return page.evaluate(
    async ({ text, endpoint }) => {
      const { call } = window as never as RuntimeWindow;
      const form = new FormData();
      form.append("file", new File([text], "input.jsonl"));
      form.append("purpose", "batch");
      const file = await (await call("/files", { method: "POST", body: form })).json();
      const body = JSON.stringify({ input_file_id: file.id, endpoint, completion_window: "24h" });
      return (await (await call("/batches", { method: "POST", body })).json()).id;
    },
    { text: `${lines.join("\n")}\n`, endpoint },
  );
}

/** Sends a GET. @returns its JSON */
// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary response fields
export function get(page: Page, path: string): Promise<any> {
  return page.evaluate(async (path) => (await (window as never as RuntimeWindow).call(path)).json(), path);
}

/** The parsed lines of a batch's output file. */
// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary fields of a line
export async function outputOf(page: Page, fileId: string): Promise<any[]> {
  const text = await page.evaluate(
    async (path) => (await (window as never as RuntimeWindow).call(path)).text(),
    `/files/${fileId}/content`,
  );
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}
