/** WebKitGTK (Safari's engine) over WebDriver, in its MiniBrowser, on its own display. */

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { connect, createServer } from "node:net";
import { Builder, type WebDriver } from "selenium-webdriver";
import type { DrivenBrowser } from "./driven-browser.ts";
import { poll } from "./poll.ts";
import { Tabs } from "./tabs.ts";
import { WebKitProcesses } from "./webkit-processes.ts";

interface WebKitPaths {
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
    const environment = { DISPLAY: `:${await firstLine(display)}` };
    const [port, browserPort] = [await freePort(), await freePort()];
    const target = `127.0.0.1:${browserPort}`;
    // Not started by the driver, which would start another one for each session.
    const browser = start(miniBrowser, ["--automation"], { ...environment, WEBKIT_INSPECTOR_SERVER: target });
    start(driver, [`--port=${port}`, `--target=${target}`], environment);
    const server = `http://127.0.0.1:${port}`;
    await Promise.all([untilOpen(port), untilOpen(browserPort)]);
    const newSession = (): Promise<WebDriver> => openSession(server);
    const session = await newSession();
    const version = (await session.getCapabilities()).getBrowserVersion() ?? "";
    const processes = new WebKitProcesses(browser.pid!, newSession);
    const tabs = new Tabs(session, processes);
    return {
      name: "webkit",
      version,
      newPage: () => tabs.open(),
      killNetwork: () => tabs.crash((session, handles) => processes.killNetwork(session, handles)),
      async close() {
        endAll();
        process.off("exit", endAll);
      },
    };
  } catch (error) {
    endAll();
    throw error;
  }
}

async function openSession(server: string): Promise<WebDriver> {
  return new Builder().usingServer(server).withCapabilities({ browserName: "MiniBrowser" }).build();
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

/** Resolves once something listens on the port. */
async function untilOpen(port: number): Promise<void> {
  const look = (): Promise<true | undefined> =>
    new Promise((resolve) => {
      const socket = connect(port, "127.0.0.1");
      socket.once("connect", () => resolve(true)).once("error", () => resolve(undefined));
      socket.once("connect", () => socket.destroy());
    });
  await poll(look, { everyMs: 20, attempts: 1_500, failure: `Port ${port} does not answer.` });
}
