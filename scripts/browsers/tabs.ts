/** The tabs of a WebDriver session. */

import { setTimeout as sleep } from "node:timers/promises";
import type { WebDriver } from "selenium-webdriver";
import { asScript, type DrivenPage, fromScript } from "./driven-browser.ts";
import { killProcess } from "./processes.ts";

/** Poll interval for a call in a page; WebDriver has no notifications. */
const POLL_MS = 20;

/** WebDriver addresses one tab at a time, so commands are queued and must be short. */
export class Tabs {
  readonly #session: WebDriver;
  readonly #processOf: ((session: WebDriver) => Promise<number>) | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #calls = 0;
  /** Open windows. The session's initial one is the first page. */
  readonly #handles = new Set<string>();

  /** @param processOf finds the process of the current window; without it tabs cannot be killed */
  constructor(session: WebDriver, processOf?: (session: WebDriver) => Promise<number>) {
    this.#session = session;
    this.#processOf = processOf;
  }

  async open(): Promise<DrivenPage> {
    const handle = await this.#next(async () => {
      // A background tab is hidden and renders no frames, which Vitest waits for.
      const [open] = this.#handles;
      // The current window may be gone.
      if (open) await this.#session.switchTo().window(open);
      if (open) await this.#session.switchTo().newWindow("window");
      const handle = await this.#session.getWindowHandle();
      this.#handles.add(handle);
      return handle;
    });
    const within = <T>(work: (session: WebDriver) => Promise<T>): Promise<T> =>
      this.#next(async () => {
        await this.#session.switchTo().window(handle);
        return work(this.#session);
      });
    return {
      goto: (url) => within((session) => session.get(url)),
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
          this.#handles.delete(handle);
          await session.close();
        }),
      kill: () =>
        within(async (session) => {
          if (!this.#processOf) throw new Error("This browser's session would end with the tab.");
          this.#handles.delete(handle);
          await killProcess(await this.#processOf(session));
        }),
    };
  }

  #next<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return turn;
  }
}
