/** A page with a runtime, driven from Node. */

import type { RuntimeOptions } from "infetch";
import { type Browser, type BrowserContext, chromium } from "playwright";
import { chromiumArguments, findChromium } from "../../../scripts/browsers/chromium.ts";
import { type FolderServer, serveFolders } from "../../../scripts/servers/serve-folders.ts";
import { distFolder } from "../../../vite.config.ts";

export interface Answer {
  status: number;
  text: string;
}

export interface Tab {
  /** Sends a request with the page's own key. */
  request(path: string, body?: object): Promise<Answer>;
  /** Resolves once the latest response read contains `text`. */
  hasRead(text: string): Promise<unknown>;
  /** What `createRuntime` threw, if it did. */
  error: string | undefined;
  close(): Promise<void>;
}

export interface TabHost {
  /** A new page of the same origin and storage as this host's others. */
  open(options: RuntimeOptions): Promise<Tab>;
  close(): Promise<void>;
}

export async function startTabs(): Promise<TabHost> {
  const server: FolderServer = await serveFolders({ package: distFolder });
  const browser: Browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
  const context: BrowserContext = await browser.newContext();
  return {
    open: (options) => openTab(context, server.origin, options),
    async close() {
      await browser.close();
      server.close();
    },
  };
}

async function openTab(context: BrowserContext, origin: string, options: RuntimeOptions): Promise<Tab> {
  const page = await context.newPage();
  await page.goto(origin);
  await page.addScriptTag({
    type: "module",
    content: `import { createRuntime } from "/package/index.js";
      const { resolve } = (window.opening = Promise.withResolvers());
      createRuntime(${JSON.stringify(options)}).then(
        (runtime) => { window.runtime = runtime; resolve(undefined); },
        (error) => resolve(error.name + ": " + error.message),
      );`,
  });
  await page.waitForFunction("window.opening");
  const error = (await page.evaluate("window.opening.promise")) as string | undefined;
  return {
    error,
    request: (path, body) =>
      page.evaluate(
        async ([address, json]) => {
          const target = window as never as { runtime: import("infetch").Runtime; text: string };
          const { runtime } = target;
          target.text = "";
          const response = await runtime.fetch(runtime.baseURL + address, {
            method: json ? "POST" : "GET",
            headers: { authorization: `Bearer ${runtime.apiKey}`, "content-type": "application/json" },
            ...(json ? { body: json } : {}),
          });
          const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
          for (let next = await reader.read(); !next.done; next = await reader.read())
            target.text += next.value;
          return { status: response.status, text: target.text };
        },
        [path, body && JSON.stringify(body)] as const,
      ),
    hasRead: (text) =>
      page.waitForFunction((text) => (window as never as { text?: string }).text?.includes(text), text),
    close: () => page.close(),
  };
}
