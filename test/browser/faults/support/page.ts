/** One page with a runtime in `globalThis.runtime`, from a server with a strict CSP. */

import { chromium, type Page } from "playwright";
import { chromiumArguments, findChromium } from "../../../../scripts/browsers/chromium.ts";
import { type ScriptEdits, startWatchedServer, type WatchedServer } from "../../../support/watched-server.ts";

export interface FaultyPage {
  server: WatchedServer;
  page: Page;
  close(): Promise<void>;
}

/**
 * @param prepare called with the page before it is loaded
 * @param args Chromium's arguments
 * @param edits of scripts
 */
export async function openPage(
  prepare: (page: Page) => Promise<unknown> = async () => {},
  args: string[] = chromiumArguments,
  edits: Readonly<ScriptEdits> = {},
): Promise<FaultyPage> {
  const server = await startWatchedServer(false, edits);
  const browser = await chromium.launch({ executablePath: findChromium(), args });
  const close = async (): Promise<void> => {
    await browser.close();
    await server.close();
  };
  try {
    const page = await browser.newPage();
    await prepare(page);
    await page.goto(server.origin);
    await startRuntime(page);
    return { server, page, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** For a page that was loaded or reloaded. */
export async function startRuntime(page: Page): Promise<void> {
  await page.waitForFunction("globalThis.createRuntime");
  await page.evaluate("createRuntime().then((runtime) => { globalThis.runtime = runtime; })");
}

export interface Answer {
  status: number;
  body: { usage?: { completion_tokens: number }; error?: { code: string; message: string }; total?: number };
}

/** Sends a request through the page's runtime, with its own key. */
export function send(page: Page, path: string, body?: object): Promise<Answer> {
  return page.evaluate(
    async ([path, json]) => {
      const { runtime } = globalThis as unknown as { runtime: import("infetch").Runtime };
      const response = await runtime.fetch(runtime.baseURL + path, {
        headers: { authorization: `Bearer ${runtime.apiKey}` },
        ...(json ? { method: "POST", body: json } : {}),
      });
      return { status: response.status, body: await response.json() };
    },
    [path, body && JSON.stringify(body)] as const,
  );
}
