/** A runtime in a headless Chromium page, with a channel to it; used by `bridge` and `chat`. */

import { randomBytes } from "node:crypto";
import type { Server } from "node:http";
import { resolve } from "node:path";
import { type Browser, chromium } from "playwright";
import { chromiumArguments } from "../browsers/chromium.ts";
import { ensureChromium } from "../browsers/ensure-chromium.ts";
import { findForeign } from "../servers/loopback.ts";
import { closeServer, createStaticServer, listen } from "../servers/static-server.ts";
import { deferred } from "../shared/deferred.ts";
import { Channel } from "./channel.ts";
import type { PageReady } from "./frames.ts";
import { acceptWebSocket } from "./websocket.ts";

const root = resolve(import.meta.dirname, "../..");
/** Generous: starting Chromium and two workers takes about a second on an idle machine. */
const START_LIMIT_MS = 60_000;

/** The user's options and requests say which hosts the runtime contacts, and those may redirect to any other. */
const ANY_HOST = ["https:", "http:"];

export interface HostOptions {
  /** `RuntimeOptions` as JSON. */
  runtimeOptions?: Record<string, unknown>;
  /** Called with every runtime event. */
  onEvent?: (event: unknown) => void;
}

export interface HostedRuntime extends PageReady {
  channel: Channel;
  /** Resolves with the reason if the browser or the page dies; never because of `close`. */
  died: Promise<string>;
  /** Closes page, browser and server completely. */
  close(): Promise<void>;
}

/**
 * Starts a browser with a page that runs the built package.
 *
 * @throws if there is no browser, the options are invalid, or the page does not start
 */
export async function hostRuntime(options: HostOptions = {}): Promise<HostedRuntime> {
  const executablePath = await ensureChromium();
  const token = randomBytes(16).toString("hex");
  const died = deferred<string>();
  const ready = deferred<PageReady>();
  const mounts = { "/": resolve(root, ".build/host"), "/infetch/": resolve(root, "dist") };
  const server = createStaticServer(mounts, ANY_HOST);
  serveOptions(server, token, options.runtimeOptions ?? {});
  const channel = connectChannel(server, token, {
    onReady: ready.resolve,
    onFailed: (message) => ready.reject(new Error(message)),
    onEvent: options.onEvent ?? (() => {}),
    onGone: () => died.resolve("the page with the runtime is gone"),
  });
  const address = await listen(server, 0);
  let browser: Browser | undefined;
  const close = async (): Promise<void> => {
    died.resolve = () => {};
    if (browser) await closeBrowser(browser);
    await closeServer(server);
  };
  try {
    browser = await chromium.launch({
      executablePath,
      args: chromiumArguments,
      // The command handles signals: see `close`.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
    browser.once("disconnected", () => died.resolve("the browser ended unexpectedly"));
    const page = await browser.newPage();
    page.once("crash", () => died.resolve("the page with the runtime crashed"));
    page.on("pageerror", (error) => ready.reject(error));
    const limit = setTimeout(
      () => ready.reject(new Error("The page with the runtime did not come up within a minute.")),
      START_LIMIT_MS,
    );
    void died.promise.then((reason) => ready.reject(new Error(reason)));
    await page.goto(`${address}/?${token}`);
    const facts = await ready.promise.finally(() => clearTimeout(limit));
    return { ...facts, channel, died: died.promise, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Playwright's promise may never settle if the browser dies while closing. */
async function closeBrowser(browser: Browser): Promise<void> {
  const gone = new Promise<void>((settle) => {
    browser.once("disconnected", () => settle());
    if (!browser.isConnected()) settle();
  });
  await Promise.race([browser.close().catch(() => {}), gone]);
}

/**
 * Serves the page's options as `options.json`. They may contain an upstream key, so the request must carry the token.
 * Everything else on this port is public, but rejected for other sites.
 */
function serveOptions(server: Server, token: string, runtimeOptions: Record<string, unknown>): void {
  const [serveFiles] = server.listeners("request") as ((...values: unknown[]) => void)[];
  server.removeAllListeners("request");
  server.on("request", (request, response) => {
    const foreign = findForeign(request);
    if (foreign) return void response.writeHead(403, { "content-type": "text/plain" }).end(foreign.message);
    if (request.url !== `/options.json?${token}`) return serveFiles?.(request, response);
    response.setHeader("content-type", "application/json").end(JSON.stringify(runtimeOptions));
  });
}

interface ChannelHandlers {
  onReady(page: PageReady): void;
  onFailed(message: string): void;
  onEvent(event: unknown): void;
  onGone(): void;
}

/** Accepts the page's single WebSocket, authenticated by the token. */
function connectChannel(server: Server, token: string, handlers: ChannelHandlers): Channel {
  let send: (bytes: Uint8Array) => void = () => {};
  const channel = new Channel((bytes) => send(bytes), handlers);
  server.on("upgrade", (request, socket) => {
    if (findForeign(request) || request.url !== `/channel?${token}`) return void socket.destroy();
    const connection = acceptWebSocket(request, socket, {
      onMessage: (bytes) => channel.receive(bytes),
      onClose: () => {
        channel.lose();
        handlers.onGone();
      },
    });
    send = (bytes) => connection.send(bytes);
  });
  return channel;
}
