/** The tabs of a WebDriver session. */

import { setTimeout as sleep } from "node:timers/promises";
import type { WebDriver } from "selenium-webdriver";
import { asScript, type DrivenPage, fromScript } from "./driven-browser.ts";

/** Poll interval for a call in a page; WebDriver has no notifications. */
const POLL_MS = 20;

/** Whether the window has loaded a page, and not the empty one unless that is its argument. */
const IS_LOADED = `return document.readyState === "complete" &&
  (location.href !== "about:blank" || arguments[0] === "about:blank")`;

interface Tab {
  /** WebDriver's name of the window. */
  handle: string;
}

/** The session that goes on after a crash, and the new handles of the windows that are left. */
export interface AfterCrash {
  session: WebDriver;
  handles: string[];
}

/** How the tabs of a browser are killed. */
export interface TabProcesses {
  /** Called after a window has opened, before the next one does. */
  opened?(handle: string): Promise<void>;
  /** Kills the process of the session's current window. @param others handles of the windows that are left */
  kill(session: WebDriver, handle: string, others: string[]): Promise<AfterCrash>;
}

/** WebDriver addresses one tab at a time, so commands are queued and must be short. */
export class Tabs {
  #session: WebDriver;
  readonly #processes: TabProcesses;
  #turn: Promise<unknown> = Promise.resolve();
  #calls = 0;
  /** Open tabs. The session's initial window is the first one. */
  readonly #tabs = new Set<Tab>();

  constructor(session: WebDriver, processes: TabProcesses) {
    this.#session = session;
    this.#processes = processes;
  }

  async open(): Promise<DrivenPage> {
    const tab = await this.#next(async () => {
      // A background tab is hidden and renders no frames, which Vitest waits for.
      const [open] = this.#tabs;
      // The current window may be gone.
      if (open) await this.#session.switchTo().window(open.handle);
      if (open) await this.#session.switchTo().newWindow("window");
      const tab = { handle: await this.#session.getWindowHandle() };
      await this.#processes.opened?.(tab.handle);
      this.#tabs.add(tab);
      return tab;
    });
    const within = <T>(work: (session: WebDriver) => Promise<T>): Promise<T> =>
      this.#next(async () => {
        await this.#session.switchTo().window(tab.handle);
        return work(this.#session);
      });
    return {
      goto: (url) =>
        within(async (session) => {
          await session.get(url);
          // WebKitGTK may report the load of a new window's empty page.
          while (!(await session.executeScript<boolean>(IS_LOADED, url))) await sleep(POLL_MS);
        }),
      reload: () => within((session) => session.navigate().refresh()),
      goBack: () => within((session) => session.navigate().back()),
      evaluate: async (work, argument) => {
        const id = `call${this.#calls++}`;
        const script = `const calls = (window.infetchTestCalls ??= {}); calls["${id}"] = null;
          ${asScript(work, argument)}.then((json) => { calls["${id}"] = json; });`;
        await within((session) => session.executeScript(script));
        while (true) {
          const look = `return (window.infetchTestCalls ?? {})["${id}"]`;
          const json = await within((session) => session.executeScript<string | null | undefined>(look));
          if (typeof json === "string") return fromScript(json);
          // In a new document `undefined` also arrives as null; `in` distinguishes them.
          const isLeft = `return !("${id}" in (window.infetchTestCalls ?? {}))`;
          if (await within((session) => session.executeScript<boolean>(isLeft)))
            throw new Error("The page was left while it ran a call.");
          await sleep(POLL_MS);
        }
      },
      close: () =>
        within(async (session) => {
          this.#tabs.delete(tab);
          await session.close();
        }),
      kill: () =>
        within(async (session) => {
          this.#tabs.delete(tab);
          await this.#goOn((others) => this.#processes.kill(session, tab.handle, others));
        }),
    };
  }

  /** Runs `kill`, which may end the session but no tab. */
  crash(kill: (session: WebDriver, handles: string[]) => Promise<AfterCrash>): Promise<void> {
    return this.#next(() => this.#goOn((handles) => kill(this.#session, handles)));
  }

  async #goOn(kill: (handles: string[]) => Promise<AfterCrash>): Promise<void> {
    const tabs = [...this.#tabs];
    const { session, handles } = await kill(tabs.map(({ handle }) => handle));
    this.#session = session;
    for (const [at, tab] of tabs.entries()) tab.handle = handles[at]!;
  }

  #next<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return turn;
  }
}
