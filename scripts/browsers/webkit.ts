/** WebKitGTK (Safari's engine) over WebDriver, in its MiniBrowser, on its own display. */

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import { Builder } from "selenium-webdriver";
import type { DrivenBrowser } from "./driven-browser.ts";
import { poll } from "./poll.ts";
import { Tabs } from "./tabs.ts";

export interface WebKitPaths {
  driver: string;
  miniBrowser: string;
  xvfb: string;
}

const VERSIONS = ["webkitgtk-6.0", "webkit2gtk-4.1", "webkit2gtk-4.0"];

/** `WEBKIT_PATH` (a MiniBrowser), else an installed WebKitGTK; undefined unless driver and Xvfb are installed. */
export function findWebKit(): WebKitPaths | undefined {
  const folders = ["/usr/libexec", "/usr/lib", ...subfoldersOf("/usr/lib").map((name) => `/usr/lib/${name}`)];
  const candidates = folders.flatMap((folder) => VERSIONS.map((name) => `${folder}/${name}/MiniBrowser`));
  const miniBrowser = process.env.WEBKIT_PATH ?? candidates.find((path) => existsSync(path));
  const driver = onPath("WebKitWebDriver");
  const xvfb = onPath("Xvfb");
  return miniBrowser && driver && xvfb ? { driver, miniBrowser, xvfb } : undefined;
}

/** @throws if the display, the driver or the browser does not start */
export async function startWebKit({ driver, miniBrowser, xvfb }: WebKitPaths): Promise<DrivenBrowser> {
  const children: ChildProcess[] = [];
  const endAll = (): void => {
    for (const child of children) child.kill();
  };
  process.once("exit", endAll);
  const start = (command: string, args: string[], environment: NodeJS.ProcessEnv = {}): ChildProcess => {
    const stdio = ["ignore", "ignore", "ignore", "pipe"] as const;
    const child = spawn(command, args, { stdio: [...stdio], env: { ...process.env, ...environment } });
    children.push(child);
    return child;
  };
  try {
    const display = start(xvfb, ["-displayfd", "3", "-screen", "0", "1280x900x24", "-nolisten", "tcp"]);
    const number = await firstLine(display);
    const port = await freePort();
    start(driver, [`--port=${port}`], { DISPLAY: `:${number}` });
    const server = `http://127.0.0.1:${port}`;
    await untilReady(`${server}/status`);
    const session = await new Builder()
      .usingServer(server)
      .withCapabilities({
        browserName: "MiniBrowser",
        "webkitgtk:browserOptions": { binary: miniBrowser, args: ["--automation"] },
      })
      .build();
    const version = (await session.getCapabilities()).getBrowserVersion() ?? "";
    const tabs = new Tabs(session);
    return {
      name: "webkit",
      version,
      newPage: () => tabs.open(),
      async close() {
        await session.quit().catch(() => {});
        endAll();
        process.off("exit", endAll);
      },
    };
  } catch (error) {
    endAll();
    throw error;
  }
}

function subfoldersOf(folder: string): string[] {
  return existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []))
    : [];
}

function onPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? "").split(":");
  return folders.map((folder) => `${folder}/${name}`).find((path) => existsSync(path));
}

/** First line that a process writes to its fourth stream. */
async function firstLine(child: ChildProcess): Promise<string> {
  const died = new Promise<never>((_, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`${child.spawnfile} ended with ${code}`)));
  });
  died.catch(() => {});
  const read = (async () => {
    let text = "";
    for await (const piece of child.stdio[3] as NodeJS.ReadableStream) {
      text += String(piece);
      if (text.includes("\n")) break;
    }
    return text.split("\n")[0]!;
  })();
  return Promise.race([read, died]);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function untilReady(url: string): Promise<void> {
  const look = async (): Promise<true | undefined> => {
    const response = await fetch(url).catch(() => undefined);
    return response?.ok ? true : undefined;
  };
  await poll(look, { everyMs: 20, attempts: 501, failure: `${url} does not answer.` });
}
