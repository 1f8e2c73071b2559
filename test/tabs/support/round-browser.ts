/** A browser whose tabs run the built package on one origin, report what they see, and can be killed. */

import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { findBrowser } from "../../../scripts/browsers/browsers.ts";
import type { BrowserName, DrivenBrowser, DrivenPage } from "../../../scripts/browsers/driven-browser.ts";
import { closeServer, listen, serveFile } from "../../../scripts/servers/static-server.ts";
import { distFolder } from "../../../vite.config.ts";
import type { Sighting } from "./requests.ts";

const MOUNTS = { "/package/": distFolder, "/": join(distFolder, "worker") };
const EMPTY_PAGE = "<!doctype html><title>infetch</title>";

export class RoundBrowser {
  readonly #server: Server;
  readonly #origin: string;
  readonly #browser: DrivenBrowser;

  private constructor(server: Server, origin: string, browser: DrivenBrowser) {
    this.#server = server;
    this.#origin = origin;
    this.#browser = browser;
  }

  /** @param onNote called with each report of any tab */
  static async start(name: BrowserName, onNote: (seen: Sighting) => void): Promise<RoundBrowser> {
    const server = createServer((request, response) => {
      if (request.method === "POST") {
        void text(request).then((json) => {
          onNote(JSON.parse(json));
          response.end();
        });
      } else if (request.url === "/") response.setHeader("content-type", "text/html").end(EMPTY_PAGE);
      else void serveFile(MOUNTS, request, response);
    });
    const origin = await listen(server, 0);
    return new RoundBrowser(server, origin, await findBrowser(name)!.start());
  }

  /** A tab with a process of its own, whose `note` reports in order and resolves once the report has arrived. */
  async newTab(): Promise<DrivenPage> {
    const tab = await this.#browser.newPage();
    await tab.goto(this.#origin);
    await tab.evaluate((path: string) => {
      let turn: Promise<unknown> = Promise.resolve();
      const note = (seen: Sighting): Promise<unknown> => {
        const body = JSON.stringify(seen);
        turn = turn.then(() => fetch(path, { method: "POST", body }));
        return turn;
      };
      Object.assign(window, { note });
    }, "/");
    return tab;
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await closeServer(this.#server);
  }
}
