/**
 * Kills tabs of WebKitGTK, or its network. Each window has a process of its own. When a process crashes, WebKit ends
 * the automation session and nothing else: a new session has all windows, under new handles.
 */

import { error, type WebDriver } from "selenium-webdriver";
import { poll } from "./poll.ts";
import { childrenOf, killProcess } from "./processes.ts";
import type { AfterCrash, TabProcesses } from "./tabs.ts";

export class WebKitProcesses implements TabProcesses {
  readonly #browser: number;
  readonly #newSession: () => Promise<WebDriver>;
  /** By handle. A closed window's process goes on, unused. */
  readonly #processes = new Map<string, number>();
  readonly #seen = new Set<number>();

  /** @param browser its process id */
  constructor(browser: number, newSession: () => Promise<WebDriver>) {
    this.#browser = browser;
    this.#newSession = newSession;
  }

  async opened(handle: string): Promise<void> {
    const all = await childrenOf(this.#browser, "WebKitWebProcess");
    const added = all.filter((id) => !this.#seen.has(id));
    for (const id of added) this.#seen.add(id);
    if (added.length === 1) this.#processes.set(handle, added[0]!);
  }

  kill(session: WebDriver, handle: string, others: string[]): Promise<AfterCrash> {
    const id = this.#processes.get(handle);
    if (id === undefined) throw new Error("It is unknown which process the tab has.");
    if (others.length === 0) throw new Error("The browser needs another tab.");
    return this.#crash(id, session, others);
  }

  async killNetwork(session: WebDriver, handles: string[]): Promise<AfterCrash> {
    const [id] = await childrenOf(this.#browser, "WebKitNetworkProcess");
    if (id === undefined) throw new Error("The browser has no network process.");
    return this.#crash(id, session, handles);
  }

  /** Kills a process. @param handles of the windows that are left */
  async #crash(id: number, session: WebDriver, handles: string[]): Promise<AfterCrash> {
    for (const handle of handles) {
      await session.switchTo().window(handle);
      await session.executeScript("window.infetchTestTab = arguments[0]", handle);
    }
    await killProcess(id);
    await untilEnded(session);
    const next = await this.#newSession();
    const renamed = new Map<string, string>();
    for (const handle of await next.getAllWindowHandles()) {
      await next.switchTo().window(handle);
      const name = await next.executeScript<string | null>("return window.infetchTestTab ?? null");
      if (name) renamed.set(name, handle);
      // What the browser shows in place of the page that crashed.
      else await next.close();
    }
    const left = handles.map((handle) => renamed.get(handle)!);
    const processes = handles.map((handle) => this.#processes.get(handle)!);
    this.#processes.clear();
    for (const [at, handle] of left.entries()) this.#processes.set(handle, processes[at]!);
    // Includes the process that took the place of the killed one.
    for (const one of await childrenOf(this.#browser, "WebKitWebProcess")) this.#seen.add(one);
    return { session: next, handles: left };
  }
}

async function untilEnded(session: WebDriver): Promise<void> {
  const look = async (): Promise<true | undefined> =>
    session.getAllWindowHandles().then(
      () => undefined,
      (failure) => (failure instanceof error.NoSuchSessionError ? true : undefined),
    );
  await poll(look, { everyMs: 5, attempts: 2_000, failure: "The crash of a tab was not noticed." });
}
