/**
 * A server in the page that replaces the server worker: tests can inspect requests and choose responses. The
 * protocol between page and server is the real one.
 */

import * as Comlink from "comlink";
import { createRuntime, type Runtime, type RuntimeOptions } from "infetch";
import type { Result, Rpc } from "infetch/port";
import type { ConnectMessage } from "../../../src/protocol/liveness/server-life.ts";
import type { Hello, ServerEndpoint } from "../../../src/protocol/wire.ts";
import "infetch/port";

type Answer = (request: Request) => Response | Promise<Response>;

/** A request as {@link echo} received it. */
export interface Seen {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string;
}

/** Responds with the request it received. */
export const echo: Answer = async (request) => {
  const headers = Object.fromEntries(request.headers);
  const seen: Seen = { url: request.url, method: request.method, headers, body: await request.text() };
  return Response.json(seen, { status: 201, headers: { "x-echo": "yes" } });
};

export interface PageServer {
  runtime: Runtime;
  /** The hello that the server received. */
  hello: Hello | undefined;
}

/** Runs `work` while every `new Worker` creates a `replacement`. */
export async function withWorker<T>(replacement: unknown, work: () => Promise<T>): Promise<T> {
  const real = globalThis.Worker;
  globalThis.Worker = replacement as typeof Worker;
  try {
    return await work();
  } finally {
    globalThis.Worker = real;
  }
}

/** A runtime whose requests `answer` handles. */
export async function startRuntime(
  answer: Answer,
  options: RuntimeOptions = {},
  refusal?: Extract<Result<never>, { ok: false }>,
): Promise<PageServer> {
  const server: Omit<PageServer, "runtime"> = { hello: undefined };
  const serverLock = `page-server:${crypto.randomUUID()}`;
  void navigator.locks.request(serverLock, () => new Promise(() => {}));
  const endpoint: Omit<ServerEndpoint, keyof Rpc> = {
    async hello(hello) {
      server.hello = hello;
      return refusal ?? { ok: true, value: { serverLock } };
    },
    fetch: async (request) => answer(request),
    ping() {},
  };
  class PageWorker {
    postMessage(message: ConnectMessage): void {
      Comlink.expose(endpoint, message.port);
    }
    terminate(): void {}
  }
  const runtime = await withWorker(PageWorker, () => createRuntime({ shared: false, ...options }));
  return { ...server, runtime };
}
