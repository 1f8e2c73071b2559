/** The service worker's side of requests, in Node: which server it finds, and how its waits end. */

import "fake-indexeddb/auto";
import { expose } from "comlink";
import { deleteDB, openDB } from "idb";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { requestIdOf } from "../../../src/protocol/transfer/request-state.ts";
import { linkResponse } from "../../../src/protocol/transfer/transfer-server.ts";
import { type Hello, PROTOCOL_VERSION } from "../../../src/protocol/wire.ts";
import type { ServiceWorkerOptions } from "../../../src/service-worker/index.ts";
import { scopePrefix } from "../../../src/tabs/messages.ts";

const DIGEST = "0123456789abcdef".repeat(4);
const LIMIT_MS = 295_000;

type FetchListener = (event: { request: Request; respondWith(response: Promise<Response>): void }) => void;

let held: string[];
let listener: FetchListener;
/** What the leading page does with a call for a port. */
let onCall: (message: { infetch: string; port: MessagePort }) => void;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  held = [];
  onCall = () => {};
  const locks = {
    query: async () => ({ held: held.map((name) => ({ name })), pending: [] }),
    request: (name: string, _: object, work?: () => unknown) =>
      held.includes(name) || name.includes(":server:") ? new Promise(() => {}) : Promise.resolve(work?.()),
  };
  vi.stubGlobal("ServiceWorkerGlobalScope", class {});
  vi.stubGlobal("location", new URL("https://app.test/sw.js"));
  vi.stubGlobal("navigator", { locks });
  vi.stubGlobal("clients", {
    matchAll: async () => [{ id: "page", postMessage: (message: never) => onCall(message) }],
  });
  vi.stubGlobal("addEventListener", (type: string, added: FetchListener) => {
    if (type === "fetch") listener = added;
  });
  await serve();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function serve(options: ServiceWorkerOptions = {}): Promise<void> {
  vi.resetModules();
  const { answerRequests } = await import("../../../src/service-worker/index.ts");
  answerRequests({ storageName: "notes", ...options });
}

function send(headers: HeadersInit = { authorization: "Bearer key" }): Promise<Response> {
  const request = new Request("https://app.test/v1/models", { headers });
  return new Promise((resolve, reject) => {
    listener({ request, respondWith: (response) => response.then(resolve, reject) });
  });
}

/** Lets time and the messages of Node's own channels pass. */
async function pass(ms: number): Promise<void> {
  for (let hop = 0; hop < 20; hop++) await new Promise((over) => setImmediate(over));
  await vi.advanceTimersByTimeAsync(ms);
}

/** Node tells a port that its other end was closed. */
function onceClosed(port: MessagePort, call: () => void): void {
  port.addEventListener("close", call);
  port.start();
}

const codeOf = async (response: Response): Promise<unknown> => [
  response.status,
  ((await response.json()) as { error: { code: string } }).error.code,
];

/** A server whose answers are 499 once the request is aborted, as the real one's. */
function leadWithSlowServer(onRequest: (request: Request) => void = () => {}): void {
  held = [scopePrefix("notes") + DIGEST];
  onCall = ({ port }) => {
    const { port1, port2 } = new MessageChannel();
    const fetch = async (request: Request): Promise<Response> => {
      onRequest(request);
      await new Promise((over) => request.signal.addEventListener("abort", over));
      return linkResponse(request, Response.json({ error: { code: "request_aborted" } }, { status: 499 }));
    };
    const hello = async (_: Hello) => ({
      ok: true,
      value: { serverLock: `infetch:${PROTOCOL_VERSION}:server:1` },
    });
    expose({ hello, fetch }, port1);
    port.postMessage(null, [port2]);
  };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

test("a refusal has the server's form: the type of its status, and an id", async () => {
  const foreign = await send({ origin: "https://other.test" });
  expect(await codeOf(foreign.clone())).toEqual([401, "missing_api_key"]);
  expect((await foreign.json()).error.type).toBe("authentication_error");
  const unserved = await send();
  expect(unserved.status).toBe(503);
  expect((await unserved.json()).error.type).toBe("server_error");
  const ids = [foreign, unserved].map(({ headers }) => headers.get("x-request-id"));
  for (const id of ids) expect(id).toMatch(UUID);
  expect(ids[0]).not.toBe(ids[1]);
});

test("a refusal of what the server had begun has the server's id of the request", async () => {
  const seen: string[] = [];
  leadWithSlowServer((request) => seen.push(requestIdOf(request)));
  const response = send();
  await pass(LIMIT_MS);
  expect((await response).status).toBe(504);
  expect(seen).toEqual([(await response).headers.get("x-request-id")]);
});

test.each([
  ["/größe/v1", "/gr%C3%B6%C3%9Fe/v1/models", "/gr%C3%B6%C3%9Fe/v10"],
  ["/my app/v1/", "/my%20app/v1", "/my/v1"],
  ["/my%20app/v1", "/my app/v1/models", "/v1"],
  ["v1", "/v1/models", "/v10"],
  ["//v1", "//v1/models", "/v1"],
  ["/ai/../v1//", "/v1/models", "/ai/v1"],
])("with basePath %j, %s is served, and %s is not", async (basePath, served, other) => {
  await serve({ basePath });
  const isServed = (path: string): boolean => {
    const respondWith = vi.fn((response: Promise<Response>) => void response.catch(() => {}));
    listener({ request: new Request(`https://app.test${path}`), respondWith });
    return respondWith.mock.calls.length === 1;
  };
  expect([isServed(served), isServed(other)]).toEqual([true, false]);
});

test.each(["", "/", "//", "/ai/.."])(
  "with basePath %j it would answer for the site's own pages",
  async (basePath) => {
    await expect(serve({ basePath })).rejects.toThrow(TypeError);
  },
);

test.each([undefined, null as never])("%j withdraws the lent key", async (none) => {
  const { lendKey, lentKey } = await import("../../../src/service-worker/key-store.ts");
  await lendKey("infetch-a-b");
  expect(await lentKey()).toBe("infetch-a-b");
  await lendKey(none);
  expect(await lentKey()).toBeUndefined();
});

test("a server of another storageName that begins alike is not asked", async () => {
  held = [`${scopePrefix("notes:drafts")}${DIGEST}`];
  const asked = vi.fn();
  onCall = asked;
  expect(await codeOf(await send())).toEqual([503, "no_open_page"]);
  expect(asked).not.toHaveBeenCalled();
});

test("a response that does not begin in time is a 504, and the request is aborted", async () => {
  leadWithSlowServer();
  const response = send();
  await pass(LIMIT_MS);
  expect(await codeOf(await response)).toEqual([504, "answer_too_late"]);
});

test("so is one for which the leading page opens no port, as while it shows a dialog", async () => {
  held = [scopePrefix("notes") + DIGEST];
  const response = send();
  await pass(LIMIT_MS);
  expect(await codeOf(await response)).toEqual([504, "answer_too_late"]);
});

test("of several pages one leads, and the call to the others ends as it answers", async () => {
  leadWithSlowServer();
  const lead = onCall;
  const ended = vi.fn();
  const other = { id: "other", postMessage: ({ port }: { port: MessagePort }) => onceClosed(port, ended) };
  const leader = { id: "page", postMessage: (message: never) => lead(message) };
  vi.stubGlobal("clients", { matchAll: async () => [other, leader] });
  void send();
  await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce());
});

test("so does a call that no page answers, once the request begins anew at another leader", async () => {
  // Requests of the other tests still wait for theirs.
  held = [scopePrefix("notes") + "f".repeat(64)];
  const ended: MessagePort[] = [];
  let calls = 0;
  onCall = ({ port }) => {
    calls++;
    onceClosed(port, () => ended.push(port));
  };
  void send();
  await vi.waitFor(() => expect(calls).toBe(1));
  const channel = new BroadcastChannel(held[0]!);
  channel.postMessage("lead");
  await vi.waitFor(() => expect([calls, ended.length]).toEqual([2, 1]));
  held = [];
  channel.postMessage("lead");
  await vi.waitFor(() => expect(ended).toHaveLength(2));
  channel.close();
});

test("a connection to a server that does not answer is given up, once another page leads", async () => {
  held = [scopePrefix("notes") + DIGEST];
  const ended = vi.fn();
  onCall = ({ port }) => {
    const { port1, port2 } = new MessageChannel();
    onceClosed(port1, ended);
    port1.addEventListener("message", () => leadWithSlowServer());
    port.postMessage(null, [port2]);
  };
  const hung = onCall;
  void send();
  await vi.waitFor(() => expect(onCall).not.toBe(hung));
  const channel = new BroadcastChannel(held[0]!);
  channel.postMessage("lead");
  await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce());
  channel.close();
});

test("while IndexedDB hangs, a lent key is neither read nor stored, and after that not stored late", async () => {
  const { lendKey, lentKey } = await import("../../../src/service-worker/key-store.ts");
  // A deletion waits for a connection, and every further open for the deletion.
  const database = await openDB("infetch-service-worker", 1);
  const deleted = deleteDB("infetch-service-worker");
  const stored = expect(lendKey("infetch-a-b")).rejects.toMatchObject({ code: "keys_unavailable" });
  const response = send({});
  await pass(5_000);
  await stored;
  expect(await codeOf(await response)).toEqual([503, "keys_unavailable"]);
  database.close();
  await deleted;
  expect(await lentKey()).toBeUndefined();
});

test("a lent key that cannot be read is the error, with its cause", async () => {
  const get = vi.spyOn(IDBObjectStore.prototype, "get").mockImplementation(() => {
    throw new DOMException("Connection to Indexed Database server lost.", "UnknownError");
  });
  const response = send({});
  await pass(0);
  const { error } = await (await response).json();
  get.mockRestore();
  expect([(await response).status, error.code]).toEqual([503, "keys_unavailable"]);
  expect(error.message).toContain("UnknownError: Connection to Indexed Database server lost.");
});
