/** Connections of pages to this server: one RPC endpoint and one liveness watch per port. */

import { expose } from "comlink";
import type { RequestEvent } from "../../src/protocol/events.ts";
import { messagesHandled, watchLock } from "../../src/protocol/liveness/liveness.ts";
import type { ServerOptions } from "../../src/protocol/options/server-options.ts";
import { conflictingOptions } from "../../src/protocol/options/shared-options.ts";
import type { WireError } from "../../src/protocol/rpc/result.ts";
import type { Rpc } from "../../src/protocol/rpc/rpc.ts";
import { moveRequest } from "../../src/protocol/transfer/received-request.ts";
import { type MeteredUse, type PageOptions, stateOf } from "../../src/protocol/transfer/request-state.ts";
import type { ResponseWatch } from "../../src/protocol/transfer/response-watch.ts";
import { abortReceived, linkResponse, linkWhole } from "../../src/protocol/transfer/transfer-server.ts";
import { type Hello, PROTOCOL_VERSION, type ServerEndpoint } from "../../src/protocol/wire.ts";
import type { Clock } from "../clock.ts";
import { keyOf } from "../http/authenticate.ts";
import { errorResponse } from "../http/error-response.ts";
import type { KeyRing } from "../usage/keys/key-ring.ts";
import { NO_TOKENS } from "../usage/metering/meter.ts";
import type { App } from "./app.ts";
import type { Pages } from "./pages.ts";

interface ConnectionServices {
  app: App;
  pages: Pages;
  keys: KeyRing;
  clock: Clock;
  serverLock: string;
  /** As given by the page that started this server. */
  options: ServerOptions;
  /** Why the options are invalid. */
  optionFault?: string;
  /** Calls available to a page besides HTTP. */
  rpc: Rpc;
  /** Reverses what the servers of earlier attempts recorded for a response that was never delivered. */
  reverseUsage(request: Request): Promise<void>;
  /** Cost of the recorded usage, in USD. Never rejects. */
  costUsd(use: MeteredUse): Promise<number>;
}

/** How long after a service worker the other pages join a new server, at most. */
const JOIN_MS = 3_000;

/** The other end of a port. */
interface ConnectedClient {
  acceptedAtMs: number;
  /** The path under which its requests are. */
  basePath: string;
  /** It has a key, as pages have and service workers have not. */
  hasKey: boolean;
  /** Its options, if it is a runtime's. */
  options: PageOptions | undefined;
  /** Aborts when it has closed. */
  gone: AbortController;
}

export class Connections {
  readonly #services: ConnectionServices;

  constructor(services: ConnectionServices) {
    this.#services = services;
  }

  /** Serves a page through `port` until the page closes. */
  accept(port: MessagePort): void {
    const client: ConnectedClient = {
      acceptedAtMs: this.#services.clock.monotonic(),
      basePath: "/v1",
      hasKey: false,
      options: undefined,
      gone: new AbortController(),
    };
    const endpoint: ServerEndpoint = {
      hello: async (hello) => {
        const options = optionsOf(hello);
        const refusal = this.#refusalOf(hello, options);
        if (refusal) return { ok: false, error: refusal };
        client.basePath = hello.basePath;
        client.hasKey = hello.key !== undefined;
        client.options = options;
        this.#welcome(hello, port, client.gone);
        return { ok: true, value: { serverLock: this.#services.serverLock } };
      },
      fetch: (request) => this.#fetch(request, client),
      ping() {},
      ...this.#services.rpc,
    };
    expose(endpoint, port);
  }

  #refusalOf(hello: Hello, pageOptions: ServerOptions | undefined): WireError | undefined {
    if (hello.protocolVersion !== PROTOCOL_VERSION) {
      const message = `The server uses protocol version ${PROTOCOL_VERSION}, this page ${hello.protocolVersion}. To update, reload the page.`;
      return { name: "ProtocolVersionError", code: "protocol_version", message };
    }
    const { optionFault, options } = this.#services;
    if (optionFault) return { name: "TypeError", code: "invalid_options", message: optionFault };
    const names = pageOptions ? conflictingOptions(options, pageOptions).join(", ") : "";
    if (names) {
      const message = `Another page of this origin runs infetch with a different value of ${names}. Use the same value on all pages, close the other pages, or start this runtime with \`shared: false\`.`;
      return { name: "RuntimeOptionsConflictError", code: "runtime_options_conflict", message };
    }
    return undefined;
  }

  #welcome(hello: Hello, port: MessagePort, gone: AbortController): void {
    const { key } = hello;
    if (key) this.#services.keys.register(key);
    this.#services.pages.add(hello.events);
    watchLock(hello.pageLock, async () => {
      // Handle the page's last read acknowledgements first: they count.
      await messagesHandled();
      if (key) this.#services.keys.forget(key.accessKey);
      this.#services.pages.delete(hello.events);
      gone.abort(new DOMException("The page was closed.", "AbortError"));
      port.close();
    });
  }

  async #fetch(request: Request, client: ConnectedClient): Promise<Response> {
    const { clock, app } = this.#services;
    const startedAtMs = clock.monotonic();
    const gone = client.gone.signal;
    const mayJoin = !client.hasKey && startedAtMs - client.acceptedAtMs <= JOIN_MS;
    if (client.options) stateOf(request).pageOptions = client.options;
    const onGone = (): void => {
      stateOf(request).isOrphan = true;
      abortReceived(request, gone.reason);
    };
    if (gone.aborted) onGone();
    else gone.addEventListener("abort", onGone);
    const inner = onV1(request, client.basePath);
    if (stateOf(request).attempt > 0) await this.#services.reverseUsage(request);
    let response = await app.fetch(inner);
    if (response.status === 401 && mayJoin && (await this.#joins(request))) response = await app.fetch(inner);
    const onEnd = (): void => gone.removeEventListener("abort", onGone);
    const report = (): void => {
      void this.#report(request, response, {
        path: new URL(inner.url).pathname,
        durationMs: clock.monotonic() - startedAtMs,
      });
    };
    const { metered } = stateOf(request);
    if (metered && !metered.stream && response.ok) {
      try {
        return await linkWhole(request, response, this.#watchWhole(request, metered, report, onEnd));
      } catch (error) {
        // No memory is left for the copy, for example.
        await metered.reverseUsage();
        // It failed: its caller did not abort it.
        delete metered.recorded;
        response = errorResponse(error);
        response.headers.set("x-request-id", stateOf(request).id);
      }
    }
    return linkResponse(request, response, {
      onSent: () => {
        onEnd();
        report();
      },
    });
  }

  /** A service worker may find a new server before the page does whose key its request has. */
  #joins(request: Request): Promise<boolean> {
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(JOIN_MS)]);
    return this.#services.keys.joins(keyOf(request) ?? "", signal);
  }

  /** A buffered response is charged on completion; the charge is reversed if the caller does not read it. */
  #watchWhole(request: Request, metered: MeteredUse, report: () => void, onEnd: () => void): ResponseWatch {
    let isTaken = false;
    const onTaken = (): void => {
      if (!isTaken) report();
      isTaken = true;
    };
    return {
      onTaken,
      onEnd: async (isRead) => {
        onEnd();
        if (isRead) return onTaken();
        // The page received the response before it closed: keep the charge.
        if (isTaken && stateOf(request).isOrphan) return;
        await metered.reverseUsage();
        report();
      },
    };
  }

  async #report(
    request: Request,
    response: Response,
    { path, durationMs }: Pick<RequestEvent, "path" | "durationMs">,
  ): Promise<void> {
    const { metered } = stateOf(request);
    if (metered?.stream && response.ok) await metered.settled;
    const requestId = response.headers.get("x-request-id") ?? "";
    const { method } = request;
    const { status } = response;
    const usage = await this.#usageOf(metered, request.signal.aborted);
    this.#services.pages.broadcast({
      type: "request",
      requestId,
      method,
      path,
      status,
      durationMs,
      ...usage,
    });
  }

  async #usageOf(metered: MeteredUse | undefined, isAborted: boolean): Promise<RequestUsage> {
    if (!metered) return { ...NO_TOKENS, costUsd: 0 };
    const { model, tier, deploymentName } = metered;
    const engine = metered.engine();
    const { outcome, tokens } = metered.recorded ?? {
      outcome: isAborted ? "aborted" : "failed",
      tokens: NO_TOKENS,
    };
    return {
      outcome,
      model,
      tier,
      ...(deploymentName === undefined ? {} : { deploymentName }),
      ...(engine === undefined ? {} : { engine }),
      ...tokens,
      costUsd: await this.#services.costUsd(metered),
    };
  }
}

type RequestUsage = Omit<RequestEvent, "type" | "requestId" | "method" | "path" | "status" | "durationMs">;

/** The server options of a page; undefined if it accepts any server. */
function optionsOf({ optionsJSON }: Hello): ServerOptions | undefined {
  if (optionsJSON === undefined) return undefined;
  try {
    return { ...JSON.parse(optionsJSON) };
  } catch {
    return {} as ServerOptions;
  }
}

/** Rewrites the page's base path to `/v1`, the only one that the app routes. */
function onV1(request: Request, basePath: string): Request {
  const url = new URL(request.url);
  if (basePath === "/v1" || !`${url.pathname}/`.startsWith(`${basePath}/`)) return request;
  url.pathname = `/v1${url.pathname.slice(basePath.length)}`;
  return moveRequest(request, url);
}
