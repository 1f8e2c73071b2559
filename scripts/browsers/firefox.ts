/**
 * The released Firefox instead of Playwright's build. Not over WebDriver BiDi: while a BiDi session listens for
 * workers, Firefox 153 sometimes never returns from `new Worker` in a worker (decision 155).
 */

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Session, WebDriver } from "selenium-webdriver";
import { Command } from "selenium-webdriver/lib/command.js";
import { onLine } from "../shared/run.ts";
import type { DrivenBrowser } from "./driven-browser.ts";
import { Marionette } from "./marionette.ts";
import { poll } from "./poll.ts";
import { killProcess } from "./processes.ts";
import { type TabProcesses, Tabs } from "./tabs.ts";

const INSTALLED = [
  "/usr/bin/firefox-esr",
  "/usr/bin/firefox",
  "/Applications/Firefox.app/Contents/MacOS/firefox",
];

const PREFERENCES = {
  // The browser chooses a free port and writes it to a file.
  "marionette.port": 0,
  // A process per tab, so that a kill ends one.
  "dom.ipc.processCount.webIsolated": 32,
  "devtools.console.stdout.content": true,
  "devtools.console.stdout.chrome": false,
  // Else the browser's own loader of experiments prints, as pages do, that it has no network.
  "messaging-system.log": "off",
};

/** `FIREFOX_PATH` if it is set, else an installed Firefox, else undefined. */
export function findFirefox(): string | undefined {
  return process.env.FIREFOX_PATH ?? INSTALLED.find((path) => existsSync(path));
}

/**
 * @param preferences of `about:config`
 * @throws if the browser does not start
 */
export async function startFirefox(
  executablePath: string,
  preferences: Readonly<Record<string, boolean | number | string>> = {},
): Promise<DrivenBrowser> {
  const profile = await mkdtemp(join(tmpdir(), "infetch-firefox-"));
  const lines = Object.entries({ ...preferences, ...PREFERENCES }).map(
    (one) => `user_pref(${JSON.stringify(one[0])}, ${JSON.stringify(one[1])});\n`,
  );
  await writeFile(join(profile, "user.js"), lines.join(""));
  // System access: the browser's own window knows the processes of its tabs.
  const args = ["--headless", "--no-remote", "--marionette", "--remote-allow-system-access"];
  const env = { ...process.env, MOZ_CRASHREPORTER_DISABLE: "1" };
  const child = spawn(executablePath, [...args, "--profile", profile], {
    stdio: ["ignore", "pipe", "ignore"],
    env,
  });
  const printed: string[] = [];
  onLine(child.stdout, (line) => {
    if (line.startsWith("console.")) printed.push(line);
  });
  const end = (): void => void child.kill("SIGKILL");
  process.once("exit", end);
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const close = async (): Promise<void> => {
    end();
    await ended;
    process.off("exit", end);
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const failed = new Promise<never>((_, reject) => {
      child.once("error", reject);
      child.once("exit", (code) => reject(new Error(`${executablePath} ended with ${code}.`)));
    });
    failed.catch(() => {});
    const port = await Promise.race([readPort(join(profile, "MarionetteActivePort")), failed]);
    const marionette = await Marionette.connect(port);
    const { sessionId, capabilities } = await marionette.newSession();
    const session = new WebDriver(new Session(sessionId, capabilities), marionette);
    const kill: TabProcesses["kill"] = async (session, _handle, handles) => {
      await killProcess(await processOfTab(session));
      return { session, handles };
    };
    const tabs = new Tabs(session, { kill });
    return {
      name: "firefox",
      version: String(capabilities.browserVersion),
      printed,
      newPage: () => tabs.open(),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Process of the selected tab of the current window. */
async function processOfTab(session: WebDriver): Promise<number> {
  const setContext = (value: string) =>
    session.execute(new Command("setContext").setParameter("value", value));
  await setContext("chrome");
  try {
    const script = "return window.gBrowser.selectedBrowser.browsingContext.currentWindowGlobal.osPid";
    return await session.executeScript<number>(script);
  } finally {
    await setContext("content");
  }
}

function readPort(file: string): Promise<number> {
  const look = async (): Promise<number | undefined> => {
    const text = await readFile(file, "utf8").catch(() => "");
    return /^\d+/.test(text) ? Number.parseInt(text, 10) : undefined;
  };
  return poll(look, { everyMs: 100, attempts: 600, failure: "Firefox did not start within a minute." });
}
