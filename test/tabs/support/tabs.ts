/** Tabs of one browser context on one origin, each with the built package. */

import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright";
import { crash } from "../../../scripts/browsers/browsers.ts";
import { anyEngine, findChromium } from "../../../scripts/browsers/chromium.ts";
import { type FolderServer, serveFolders } from "../../../scripts/servers/serve-folders.ts";
import { distFolder } from "../../../vite.config.ts";

export interface TabWindow {
  runtime: import("infetch").Runtime;
}

/** A page of any driver: Playwright's, or one of `scripts/browsers`. */
export interface Evaluates {
  evaluate<T>(work: string): Promise<T>;
  evaluate<T, A>(work: (argument: A) => T | Promise<T>, argument: A): Promise<T>;
}

export class Tabs {
  readonly context: BrowserContext;
  readonly origin: string;
  readonly #browser: Browser;
  readonly #server: FolderServer;

  private constructor(browser: Browser, context: BrowserContext, server: FolderServer) {
    this.#browser = browser;
    this.#server = server;
    this.context = context;
    this.origin = server.origin;
  }

  /**
   * @param packageFolder the built package, or a patched one
   * @param args browser flags
   */
  static async open(packageFolder = distFolder, args = anyEngine): Promise<Tabs> {
    const server = await serveFolders({
      package: packageFolder,
      "service-worker.js": join(packageFolder, "worker/service-worker.js"),
    });
    const browser = await chromium.launch({
      executablePath: findChromium(),
      args,
      // Playwright disables it.
      ignoreDefaultArgs: ["--disable-back-forward-cache"],
    });
    return new Tabs(browser, await browser.newContext(), server);
  }

  /** An empty page of the origin. */
  async newPage(): Promise<Page> {
    const page = await this.context.newPage();
    await page.goto(this.origin);
    return page;
  }

  /** A page with a runtime in `window.runtime`. */
  async newTab(options: import("infetch").RuntimeOptions = {}): Promise<Page> {
    const page = await this.newPage();
    await startRuntime(page, options);
    return page;
  }

  /** Crashes the page's renderer: none of the page's code runs any more. */
  async kill(page: Page): Promise<void> {
    await crash(page);
  }

  async close(): Promise<void> {
    await this.#browser.close();
    this.#server.close();
  }
}

/** The ledger's in-flight rows, after dead owners' rows are recovered. */
export async function inflight(page: Evaluates, storageName: string): Promise<unknown[]> {
  // Reading the ledger triggers recovery.
  await page.evaluate(async (_: undefined) => {
    const { runtime } = window as unknown as TabWindow;
    const headers = { authorization: `Bearer ${runtime.apiKey}` };
    await runtime.fetch(`${runtime.baseURL}/billing/invoices`, { headers });
  }, undefined);
  return checkpoints(page, storageName);
}

/** The ledger's in-flight rows, read directly from IndexedDB. */
export function checkpoints(page: Evaluates, storageName: string): Promise<{ output_tokens: number }[]> {
  return page.evaluate(async (name: string) => {
    const known = await indexedDB.databases();
    if (!known.some((one) => one.name === name)) return [];
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const database = await done(indexedDB.open(name));
    const rows = await done(database.transaction("inflight").objectStore("inflight").getAll());
    database.close();
    return rows;
  }, `${storageName}-ledger`);
}

/** Creates `window.runtime` in a page. Rejects as `createRuntime()` does. */
export function startRuntime(page: Evaluates, options: import("infetch").RuntimeOptions = {}): Promise<void> {
  return page.evaluate(
    `import("/package/index.js").then(async ({ createRuntime }) => {
      window.runtime = await createRuntime(${JSON.stringify(options)});
    })`,
  );
}

/** File names of the page's worker scripts, without the broker. */
export function workersOf(page: Page): string[] {
  return page
    .workers()
    .map((worker) => worker.url().split("/").at(-1)!)
    .filter((name) => name !== "broker.js");
}

export function leads(page: Page): boolean {
  return workersOf(page).includes("server.js");
}

/** {@link leads} for any driver: whether the page holds the leader's lock. */
export function isLeader(page: Evaluates): Promise<boolean> {
  return page.evaluate((ownLock: string) => {
    return navigator.locks.request(ownLock, async () => {
      const { held = [] } = await navigator.locks.query();
      const { clientId } = held.find(({ name }) => name === ownLock)!;
      return held.some((lock) => lock.clientId === clientId && /:leader:(?!.*:broker:)/.test(lock.name!));
    });
  }, crypto.randomUUID() as string);
}
