/** A test browser with an API like Playwright's, independent of the protocol. */

export const browserNames = ["chromium", "firefox", "webkit"] as const;
export type BrowserName = (typeof browserNames)[number];

export interface DrivenBrowser {
  readonly name: BrowserName;
  /** Engine version, for example `153.7.0`. */
  readonly version: string;
  /**
   * What pages and their workers print on the console, a line each; shared workers in the released Firefox alone.
   * WebKitGTK does not tell while it is driven.
   */
  readonly printed?: readonly string[];
  /** Opens a tab at `about:blank`. Tabs share one profile, which starts empty and is deleted by `close()`. */
  newPage(): Promise<DrivenPage>;
  /** Kills the process behind network and storage, which the browser then starts again. WebKitGTK only. */
  killNetwork?(): Promise<void>;
  close(): Promise<void>;
}

export interface DrivenPage {
  /** Resolves after the `load` event. */
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  goBack(): Promise<void>;
  /**
   * Runs a function or evaluates an expression in the page and awaits its promise. Argument and result are JSON.
   *
   * @throws an Error with the name and message of the page's error
   */
  evaluate<T, A = undefined>(work: string | ((argument: A) => T | Promise<T>), argument?: A): Promise<T>;
  /** Closes the tab without `beforeunload`. */
  close(): Promise<void>;
  /**
   * Ends the tab's process as a crash does: none of its code runs any more. Call nothing afterwards.
   *
   * @throws an Error for WebKit's only tab, and in Playwright's Firefox and WebKit
   */
  kill(): Promise<void>;
}

/** Script that evaluates to the JSON of the result, or of `{ error }`. */
export function asScript(work: string | ((argument: never) => unknown), argument: unknown): string {
  const call = typeof work === "string" ? `(${work})` : `(${work})(${JSON.stringify(argument)})`;
  return `(async () => ${call})().then(
    (value) => JSON.stringify({ value }),
    (error) => JSON.stringify({ error: { name: error?.name ?? "Error", message: String(error?.message ?? error) } }),
  )`;
}

/** Parses the JSON of {@link asScript}. */
export function fromScript<T>(json: string): T {
  const { value, error } = JSON.parse(json) as { value: T; error?: { name: string; message: string } };
  if (error) throw Object.assign(new Error(error.message), { name: error.name });
  return value;
}
