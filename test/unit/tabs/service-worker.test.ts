/** The service worker's side of requests, in Node: which server it finds, and how its waits end. */

import "fake-indexeddb/auto";
import { expose } from "comlink";
import { deleteDB, openDB } from "idb";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { answers } from "../../../src/protocol/transfer-server.ts";
import { type Hello, PROTOCOL_VERSION } from "../../../src/protocol/wire.ts";
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
  vi.resetModules();
  const { answerRequests } = await import("../../../src/service-worker/index.ts");
  answerRequests({ storageName: "notes" });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

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
function leadWithSlowServer(): void {
  held = [scopePrefix("notes") + DIGEST];
  onCall = ({ port }) => {
    const { port1, port2 } = new MessageChannel();
    const fetch = async (request: Request): Promise<Response> => {
      await new Promise((over) => request.signal.addEventListener("abort", over));
      return answers(request, Response.json({ error: { code: "request_aborted" } }, { status: 499 }));
    };
    const hello = async (_: Hello) => ({
      ok: true,
      value: { serverLock: `infetch:${PROTOCOL_VERSION}:server:1` },
    });
    expose({ hello, fetch }, port1);
    port.postMessage(null, [port2]);
  };
}

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

test("so is one whose lent key cannot be read because IndexedDB hangs", async () => {
  // A deletion waits for a connection, and every further open for the deletion.
  const database = await openDB("infetch-service-worker", 1);
  const deleted = deleteDB("infetch-service-worker");
  const response = send({});
  await pass(LIMIT_MS);
  expect(await codeOf(await response)).toEqual([504, "answer_too_late"]);
  database.close();
  await deleted;
});
