/** What a page that has joined a server waits for, as the server dies or the page leaves. */

import { expose } from "comlink";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type JoinedServer, joinServer } from "../../../src/port/join-server.ts";
import { receivedBodyOf } from "../../../src/protocol/transfer/transfer-client.ts";
import "../../../src/protocol/transfer/transfer-server.ts";
import { FakeWebLocks } from "../../fakes/fake-web-locks.ts";

let joined: JoinedServer;
/** Of the server. */
let die: () => void;

beforeEach(async () => {
  const locks = new FakeWebLocks();
  const query = async () => ({ held: [{ name: "server" }], pending: [] });
  vi.stubGlobal("navigator", { locks: { request: locks.request.bind(locks), query } });
  vi.stubGlobal("location", new URL("https://app.test/"));
  const { port1, port2 } = new MessageChannel();
  const ended = new Promise<void>((resolve) => {
    die = resolve;
  });
  void locks.request("server", () => ended);
  const hello = async () => ({ ok: true, value: { serverLock: "server" } });
  const fetch = async ({ url, body }: Request): Promise<Response> => {
    if (url.endsWith("/pending")) return new Promise(() => {});
    if (url.endsWith("/whole")) return new Response("whole");
    if (!url.endsWith("/upload")) void body?.cancel();
    return new Response(new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array([7])) }));
  };
  expose({ hello, fetch, keys: { list: async () => ({ ok: true, value: [] }) } }, port1);
  joined = await joinServer(port2);
});

afterEach(() => {
  joined.close();
  vi.unstubAllGlobals();
});

const send = (path: string, init?: RequestInit) =>
  joined.remote.fetch(new Request(`https://any.example/v1/${path}`, init));

test.each([
  ["the server dies", () => die()],
  ["the page leaves", () => joined.close()],
])("pending requests and open bodies fail when %s, and `lost` resolves", async (_, end) => {
  const cancel = vi.fn();
  const upload = new ReadableStream({ cancel }, { highWaterMark: 0 });
  const open = (await send("open")).body!.getReader();
  expect((await open.read()).value).toEqual(new Uint8Array([7]));
  const whole = await send("whole");
  await receivedBodyOf(whole)!.received;
  const pending = [
    send("pending"),
    send("pending", { method: "POST", body: upload, duplex: "half" } as object),
  ];
  const rest = open.read();
  end();
  const failed = await Promise.allSettled([...pending, rest]);
  await joined.lost;
  failed.push(...(await Promise.allSettled([send("whole")])));
  const reason = { name: "WorkerLostError", code: "worker_lost" };
  for (const one of failed) expect(one).toMatchObject({ reason });
  expect(await whole.text()).toBe("whole");
  await expect.poll(() => cancel.mock.calls.length).toBe(1);
});

test("an upload whose response has begun stops when the server dies", async () => {
  const cancel = vi.fn();
  const upload = new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(100_000)), cancel });
  const response = await send("upload", { method: "POST", body: upload, duplex: "half" } as object);
  const text = response.text();
  die();
  await expect(text).rejects.toMatchObject({ code: "worker_lost" });
  await expect.poll(() => cancel.mock.calls.length).toBe(1);
});

test("a request whose body is used or locked rejects, as in fetch", async () => {
  const post = () => new Request("https://any.example/v1/whole", { method: "POST", body: "hello" });
  const sent = post();
  await joined.remote.fetch(sent);
  const read = post();
  await read.text();
  const locked = post();
  locked.body!.getReader();
  for (const request of [sent, read, locked])
    await expect(joined.remote.fetch(request)).rejects.toThrow(TypeError);
});

test("the groups of calls are the server's", async () => {
  expect(await joined.remote.keys.list()).toEqual({ ok: true, value: [] });
});
