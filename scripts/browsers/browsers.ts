/** Finds and starts the test browsers. */

import { existsSync } from "node:fs";
import { chromium, firefox, type Page, type Browser as PlaywrightBrowser, webkit } from "playwright";
import { chromiumArguments, findChromium } from "./chromium.ts";
import { asScript, type BrowserName, type DrivenBrowser, fromScript } from "./driven-browser.ts";
import { findFirefox, startFirefox } from "./firefox.ts";
import { findWebKit, startWebKit } from "./webkit.ts";

const playwright = { chromium, firefox, webkit };

/** `isPlaywright`: Playwright's own build, or Chromium; driven through Playwright's API. */
export interface FoundBrowser {
  isPlaywright: boolean;
  start(): Promise<DrivenBrowser>;
}

/** An installed browser, else Playwright's build; undefined if there is none. */
export function findBrowser(name: BrowserName): FoundBrowser | undefined {
  if (name === "firefox") {
    const path = findFirefox();
    if (path) return { isPlaywright: false, start: () => startFirefox(path) };
  }
  if (name === "webkit") {
    const paths = findWebKit();
    if (paths) return { isPlaywright: false, start: () => startWebKit(paths) };
  }
  const executablePath = name === "chromium" ? findChromium() : playwright[name].executablePath();
  if (!existsSync(executablePath)) return undefined;
  const args = name === "chromium" ? chromiumArguments : [];
  return {
    isPlaywright: true,
    start: async () => drive(name, await playwright[name].launch({ executablePath, args })),
  };
}

async function drive(name: BrowserName, browser: PlaywrightBrowser): Promise<DrivenBrowser> {
  const context = await browser.newContext();
  const printed: string[] = [];
  context.on("console", (message) => {
    // What the browser itself reports, a missing file for instance, has no arguments.
    if (message.args().length > 0) printed.push(`${message.type()}: ${message.text()}`);
  });
  return {
    name,
    version: browser.version(),
    printed,
    async newPage() {
      const page = await context.newPage();
      return {
        goto: async (url) => void (await page.goto(url, { timeout: 0 })),
        reload: async () => void (await page.reload()),
        goBack: async () => void (await page.goBack()),
        evaluate: async (work, argument) =>
          fromScript((await page.evaluate(asScript(work, argument))) as string),
        close: () => page.close(),
        kill: () => crash(page),
      };
    },
    close: () => browser.close(),
  };
}

/** Crashes the page's renderer. @throws in Playwright's Firefox and WebKit, which have no such command */
export async function crash(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const crashed = new Promise((resolve) => page.once("crash", resolve));
  session.send("Page.crash").catch(() => {});
  await crashed;
}
