/** A browser whose tabs run the built package on one origin, report what they see, and can be killed. */

import { createServer, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { findBrowser } from "../../../scripts/browsers/browsers.ts";
import type { BrowserName, DrivenPage } from "../../../scripts/browsers/driven-browser.ts";
import { findWebKit } from "../../../scripts/browsers/webkit.ts";
import { closeServer, listen, serveFile } from "../../../scripts/static-server.ts";
import { distFolder } from "../../../vite.config.ts";
import type { Sighting } from "./requests.ts";
import { WebKitWindows } from "./webkit-windows.ts";

const EMPTY_PAGE = "<!doctype html><title>infetch</title>";

export type RoundTab = Pick<DrivenPage, "evaluate" | "close" | "kill">;

export class RoundBrowser {
  readonly #server: Server;
  readonly #newTab: () => Promise<RoundTab>;
  readonly #end: () => Promise<void>;

  private constructor(server: Server, newTab: () => Promise<RoundTab>, end: () => Promise<void>) {
    this.#server = server;
    this.#newTab = newTab;
    this.#end = end;
  }

  /** @param onNote called with each report of any tab */
  static async start(name: BrowserName, onNote: (seen: Sighting) => void): Promise<RoundBrowser> {
    let windows: WebKitWindows | undefined;
    const server = createServer((request, response) => {
      const page = request.url === "/" ? EMPTY_PAGE : windows?.page(request.url);
      if (request.method === "GET" && page === undefined) {
        void serveFile({ "/package/": distFolder }, request, response);
        return;
      }
      response.setHeader("content-type", "text/html");
      if (request.method === "GET") return void response.end(page);
      void text(request).then((json) => {
        onNote(JSON.parse(json));
        response.end();
      });
    });
    const origin = await listen(server, 0);
    const webkit = name === "webkit" ? findWebKit() : undefined;
    if (webkit) {
      const opened = await WebKitWindows.start(webkit, origin);
      windows = opened;
      return new RoundBrowser(
        server,
        () => opened.open(),
        () => opened.close(),
      );
    }
    const browser = await findBrowser(name)!.start();
    const newTab = async () => {
      const page = await browser.newPage();
      await page.goto(origin);
      return page;
    };
    return new RoundBrowser(server, newTab, () => browser.close());
  }

  /** A tab whose `note` reports to `onNote`, in order; resolves once the report has arrived. */
  async newTab(): Promise<RoundTab> {
    const tab = await this.#newTab();
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
    await this.#end();
    await closeServer(this.#server);
  }
}
