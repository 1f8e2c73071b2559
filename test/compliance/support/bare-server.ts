/** A bare comlink client of the built server worker, which writes the messages of the protocol itself. */

import * as Comlink from "comlink";
import { holdLock } from "../../../src/protocol/liveness/liveness.ts";
import type { ConnectMessage } from "../../../src/protocol/liveness/server-life.ts";
import type { ServerOptions } from "../../../src/protocol/options/server-options.ts";
import type { Result } from "../../../src/protocol/rpc/result.ts";
import {
  type Hello,
  type HelloReply,
  PROTOCOL_VERSION,
  type ServerEndpoint,
} from "../../../src/protocol/wire.ts";
import "infetch/port";

const options: ServerOptions = {
  storageName: "infetch-compliance",
  modelsURL: new URL("/package/models/", location.href).href,
  engineURLs: {
    webllm: new URL("/package/worker/webllm.js", location.href).href,
    llamacpp: new URL("/package/worker/llamacpp.js", location.href).href,
    transformers: new URL("/package/worker/transformers.js", location.href).href,
  },
  embeddings: {
    runtimeURL: new URL("/package/ort/", location.href).href,
    device: "auto",
  },
  hub: { url: new URL("/fixtures/hub/", location.href).href },
  models: [],
  maxQueuedRequests: 64,
  keepAliveMs: -1,
  strict: false,
  billing: false,
  clockOffsetMs: 0,
};

const SALT = "00".repeat(16);

export interface Page {
  remote: Comlink.Remote<ServerEndpoint>;
  port: MessagePort;
  apiKey: string;
  reply: Result<HelloReply>;
  /** POSTs to `/v1/chat/completions` with this page's key. */
  chat(body: Record<string, unknown>, signal?: AbortSignal): Promise<Response>;
}

/** Held as long as this page lives. */
const serverLock = `bare-server:${crypto.randomUUID()}`;
const locked = holdLock(serverLock);

export function startBareServer(): Worker {
  return new Worker("/package/worker/server.js", { type: "module" });
}

/** Registers a page with the server. `locks` holds the page's lock, whose release means that the page died. */
export async function joinBareServer(
  server: Worker,
  changes: Partial<Hello> = {},
  locks: LockManager = navigator.locks,
): Promise<Page> {
  const { port1, port2 } = new MessageChannel();
  await locked;
  server.postMessage({ type: "connect", port: port2, options, serverLock } satisfies ConnectMessage, [port2]);
  const remote = Comlink.wrap<ServerEndpoint>(port1);
  const accessKey = `page${crypto.randomUUID().replaceAll("-", "")}`;
  const secretKey = "secret";
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(SALT + secretKey));
  const hash = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const pageLock = `bare-page:${accessKey}`;
  await new Promise<void>((held) => {
    void locks
      .request(pageLock, () => {
        held();
        return new Promise(() => {});
      })
      .catch(() => {});
  });
  const events = new MessageChannel();
  const hello: Hello = {
    protocolVersion: PROTOCOL_VERSION,
    pageId: crypto.randomUUID(),
    pageLock,
    key: { accessKey, salt: SALT, hash },
    optionsJSON: JSON.stringify(options),
    basePath: "/v1",
    events: events.port2,
    ...changes,
  };
  const reply = await remote.hello(Comlink.transfer(hello, [hello.events]));
  const apiKey = `infetch-${accessKey}-${secretKey}`;
  const chat: Page["chat"] = (body, signal) =>
    remote.fetch(
      new Request("https://any.example/v1/chat/completions", {
        method: "POST",
        headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "infetch-tiny", temperature: 0, ...body }),
        ...(signal ? { signal } : {}),
      }),
    );
  return { remote, port: port1, apiKey, reply, chat };
}
