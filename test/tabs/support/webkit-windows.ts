/**
 * Windows of a WebKitGTK without WebDriver, whose session would end when a page crashes: a server of their own sends
 * them what they shall evaluate. The first one opens the others.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { startDisplay } from "../../../scripts/browsers/display.ts";
import { asScript, type DrivenPage, fromScript } from "../../../scripts/browsers/driven-browser.ts";
import { poll } from "../../../scripts/browsers/poll.ts";
import { killProcess, ticksOfChildren } from "../../../scripts/browsers/processes.ts";
import type { WebKitPaths } from "../../../scripts/browsers/webkit.ts";
import { closeServer, listen } from "../../../scripts/static-server.ts";

export type Window = Pick<DrivenPage, "evaluate" | "close" | "kill">;

const FOLDER = "/windows/";
const WAIT = { everyMs: 10, attempts: 3_000 };

/** One window: a stream of scripts to it, and its results. */
class Driven {
  readonly calls = new Map<string, (json: string) => void>();
  #scripts: ServerResponse | undefined;
  #isGone = false;

  connect(response: ServerResponse): void {
    this.#scripts = response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
    // The browser drops the requests of a window that ended.
    response.once("close", () => {
      this.#isGone = true;
    });
  }

  run(script: string): void {
    this.#scripts?.write(`data: ${JSON.stringify(script)}\n\n`);
  }

  async opened(): Promise<void> {
    await poll(async () => this.#scripts, { ...WAIT, failure: "A window does not open." });
  }

  async gone(failure: string): Promise<void> {
    await poll(async () => this.#isGone || undefined, { ...WAIT, failure });
  }
}

export class WebKitWindows {
  readonly #origin: string;
  /** The browser, and its display. */
  #processes: ChildProcess[] = [];
  readonly #windows: Driven[] = [];
  /** Not the origin's: browsers open six connections to a server, and each window holds one. */
  readonly #server = createServer((request, response) => this.#handle(request, response));
  #address = "";
  #calls = 0;

  private constructor(origin: string) {
    this.#origin = origin;
  }

  /** @param origin of the server that serves `page(path)` for the paths of the windows */
  static async start({ miniBrowser, xvfb }: WebKitPaths, origin: string): Promise<WebKitWindows> {
    const windows = new WebKitWindows(origin);
    windows.#address = await listen(windows.#server, 0);
    const display = await startDisplay(xvfb);
    // Private: a profile of its own, in memory.
    const args = ["--private", "--javascript-can-open-windows-automatically=true", `${origin}${FOLDER}0`];
    const browser = spawn(miniBrowser, args, { stdio: "ignore", env: display.environment });
    windows.#processes = [browser, display.process];
    return windows;
  }

  /** The page at a path of the origin; undefined if it is not that of a window. */
  page(path = ""): string | undefined {
    const [, id] = /^\/windows\/(\d+)$/.exec(path) ?? [];
    if (id === undefined) return undefined;
    return `<!doctype html><title>infetch</title><script>
      const scripts = new EventSource("${this.#address}/${id}/scripts");
      scripts.onmessage = ({ data }) => (0, eval)(JSON.parse(data));
    </script>`;
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const [, id, call = ""] = /^\/(\d+)\/(\w+)$/.exec(request.url ?? "") ?? [];
    const window = this.#window(Number(id));
    response.setHeader("access-control-allow-origin", this.#origin);
    if (call === "scripts") window.connect(response);
    else
      void text(request).then((json) => {
        window.calls.get(call)?.(json);
        response.end();
      });
  }

  /** Opens a window with a process of its own, at an empty page of the server. */
  async open(): Promise<Window> {
    const control = this.#window(0);
    await control.opened();
    const id = this.#windows.length;
    const window = this.#window(id);
    // Without an opener it has its own process.
    control.run(`open("${this.#origin}${FOLDER}${id}", "_blank", "noopener")`);
    await window.opened();
    const evaluate: Window["evaluate"] = async (work, argument) => {
      const call = `call${this.#calls++}`;
      const json = new Promise<string>((resolve) => window.calls.set(call, resolve));
      const done = `(body) => fetch("${this.#address}/${id}/${call}", { method: "POST", body })`;
      window.run(`${asScript(work, argument)}.then(${done})`);
      return fromScript(await json);
    };
    const process = await this.#processOf(evaluate);
    return {
      evaluate,
      close: async () => {
        window.run("close()");
        await window.gone("A window does not close.");
      },
      kill: async () => {
        await killProcess(process);
        await window.gone("Another process than that of the window was killed.");
      },
    };
  }

  async close(): Promise<void> {
    for (const child of this.#processes) child.kill("SIGKILL");
    await closeServer(this.#server);
  }

  #window(id: number): Driven {
    this.#windows[id] ??= new Driven();
    return this.#windows[id];
  }

  /** The process whose main thread is busy when the window's is: WebKit starts processes ahead, and reuses them. */
  async #processOf(evaluate: Window["evaluate"]): Promise<number> {
    const look = async (): Promise<number | undefined> => {
      const before = await this.#ticks();
      await evaluate((ms: number) => {
        const end = performance.now() + ms;
        while (performance.now() < end);
      }, 200);
      const used = [...(await this.#ticks())].map(([id, ticks]) => ({
        id,
        ticks: ticks - (before.get(id) ?? 0),
      }));
      const [most, next] = used.sort((a, b) => b.ticks - a.ticks);
      return most!.ticks >= (next?.ticks ?? 0) + 5 ? most!.id : undefined;
    };
    return poll(look, { ...WAIT, attempts: 50, failure: "The process of a window was not found." });
  }

  #ticks(): Promise<Map<number, number>> {
    return ticksOfChildren(this.#processes[0]!.pid!, "WebKitWebProces");
  }
}
