import { setImmediate as turn } from "node:timers/promises";
import * as Comlink from "comlink";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createFetch } from "../../src/fetch/create-fetch.ts";
import { moveRequest } from "../../src/protocol/transfer/received-request.ts";
import { buildRequest } from "../../src/protocol/transfer/request-body.ts";
import { type RequestState, requestIdOf, stateOf } from "../../src/protocol/transfer/request-state.ts";
import { sentRequestOf } from "../../src/protocol/transfer/transfer-client.ts";
import { linkResponse } from "../../src/protocol/transfer/transfer-server.ts";
import type { ServerEndpoint } from "../../src/protocol/wire.ts";

/** Generous poll timeout for slow CI machines. */
const PATIENCE_MS = 30_000;

type Answer = (request: Request) => Response | Promise<Response>;

const open: MessagePort[] = [];

afterEach(() => {
  vi.unstubAllGlobals();
  for (const port of open.splice(0)) port.close();
});

/** A bare comlink client of a bare comlink server. */
function connect(answer: Answer): Comlink.Remote<Pick<ServerEndpoint, "fetch">> {
  const { port1, port2 } = new MessageChannel();
  open.push(port1);
  Comlink.expose({ fetch: async (request: Request) => linkResponse(request, await answer(request)) }, port2);
  return Comlink.wrap(port1);
}

/** Number of open ports with listeners, which keep the Node process alive. */
function openPorts(): number {
  return process.getActiveResourcesInfo().filter((type) => type === "MessagePort").length;
}

test("a request keeps its id, method, headers and body; a response its status, headers and body", async () => {
  let id = "";
  const remote = connect(async (request) => {
    id = requestIdOf(request);
    const { method, headers } = request;
    const text = `${method} ${headers.get("x-a")} ${await request.text()}`;
    return new Response(text, { status: 418, statusText: "Teapot", headers: { "x-b": "2" } });
  });
  const request = new Request("https://any.example/v1", {
    method: "PUT",
    body: "hi",
    headers: { "x-a": "1" },
  });
  const response = await remote.fetch(request);
  expect(id).toBe(requestIdOf(request));
  expect(response).toMatchObject({ status: 418, statusText: "Teapot" });
  expect(response.headers.get("x-b")).toBe("2");
  expect(await response.text()).toBe("PUT 1 hi");
});

test("a body that is known as text arrives the same, short or long, and can be sent again", async () => {
  const remote = connect(async (request) => {
    const body = await request.text();
    return Response.json([request.headers.get("content-type"), body]);
  });
  vi.stubGlobal("location", { href: "https://any.example/" });
  const send = createFetch(
    new URL("https://any.example/v1"),
    async (request) => {
      await remote.fetch(request).then((response) => response.text());
      return remote.fetch(request);
    },
    fetch,
  );
  // A body with a lone surrogate is not sent as text, but like any other body.
  const encoded = (text: string): string => new TextDecoder().decode(new TextEncoder().encode(text));
  const texts = ["", "{}", "\u{1F600} \ud800 ü", "x".repeat(64 * 1024)];
  for (const body of texts) {
    const response = await send("https://any.example/v1/echo", { method: "POST", body });
    expect(await response.json()).toEqual(["text/plain;charset=UTF-8", encoded(body)]);
  }
  const once = createFetch(new URL("https://any.example/v1"), (request) => remote.fetch(request), fetch);
  for (const body of ["x".repeat(64 * 1024 + 1), "ü".repeat(500_000)]) {
    const response = await once("https://any.example/v1/echo", { method: "POST", body });
    expect((await response.json())[1]).toBe(body);
  }
});

test.each<[string, Answer, RequestInit & { duplex?: "half" }]>([
  ["without bodies", () => new Response(null, { status: 204 }), {}],
  ["with a body read", async (request) => new Response(await request.text()), { method: "POST", body: "x" }],
  [
    "with a body nobody reads",
    () => new Response("no", { status: 401 }),
    { method: "POST", body: "x".repeat(1e6) },
  ],
  ["with a signal", () => new Response("x"), { signal: new AbortController().signal }],
])("no port stays open after a request %s", async (_, answer, init) => {
  const remote = connect(answer);
  const before = openPorts();
  for (let round = 0; round < 3; round++) {
    const response = await remote.fetch(new Request("https://any.example/v1", init));
    await response.text();
  }
  await vi.waitFor(() => expect(openPorts()).toBeLessThanOrEqual(before), PATIENCE_MS);
});

test("nor after a cancelled answer, nor after a body that failed", async () => {
  const remote = connect(async (request) => {
    if (request.method === "GET")
      return new Response(new ReadableStream({ start: (c) => c.enqueue(new Uint8Array(9)) }));
    return new Response(await request.text().catch((error) => String(error)));
  });
  const before = openPorts();
  await (await remote.fetch(new Request("https://any.example/v1"))).body?.cancel();
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error("broken")) });
  const init = { method: "POST", body, duplex: "half" } as RequestInit;
  const request = new Request("https://any.example/v1", init);
  const response = await remote.fetch(request);
  expect(await response.text()).toBe("Error: broken");
  await expect(sentRequestOf(request)?.bodyFailed).rejects.toThrow(TypeError);
  await vi.waitFor(() => expect(openPorts()).toBeLessThanOrEqual(before), PATIENCE_MS);
});

describe("where a Request takes no stream and shows no body (Firefox)", () => {
  const Real = globalThis.Request;
  class WithoutStreams extends Real {
    constructor(input: RequestInfo | URL, init: RequestInit = {}) {
      const { method, headers, body, signal } = init;
      const isStream = body instanceof ReadableStream;
      const whole = { method, headers, signal, body: isStream ? String(body) : body } as RequestInit;
      super(input, input instanceof Real || init instanceof Real ? init : whole);
      if (isStream || init.body)
        Object.defineProperty(this, "body", { value: undefined, configurable: true });
    }
  }
  const post = { method: "POST", headers: { "x-a": "1" } };

  beforeEach(() => vi.stubGlobal("Request", WithoutStreams));

  test("the body arrives, also at another address and in a clone, with the request's id", async () => {
    let ids: string[] = [];
    const remote = connect(async (request) => {
      const moved = moveRequest(request, new URL("https://any.example/v2"));
      ids = [requestIdOf(request), requestIdOf(moved)];
      const clone = moved.clone();
      expect(clone.bodyUsed).toBe(false);
      const seen = [moved.url, moved.headers.get("x-a"), await moved.text(), (await clone.bytes()).length];
      expect(moved.bodyUsed).toBe(true);
      return Response.json(seen);
    });
    const body = new Blob(["whole"]).stream();
    const request = buildRequest("https://any.example/v1", { ...post, body, duplex: "half" });
    expect(await (await remote.fetch(request)).json()).toEqual(["https://any.example/v2", "1", "whole", 5]);
    expect(ids).toEqual([requestIdOf(request), requestIdOf(request)]);
  });

  test("a stream that fails is told on both sides", async () => {
    const remote = connect(async (request) => new Response(await request.text().catch(String)));
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error("broken")) });
    const request = buildRequest("https://any.example/v1", { ...post, body, duplex: "half" });
    expect(await (await remote.fetch(request)).text()).toContain("broken");
    await expect(sentRequestOf(request)?.bodyFailed).rejects.toThrow(TypeError);
  });

  test("a stream without duplex, or one that is locked, is refused", () => {
    const body = new Blob(["x"]).stream();
    expect(() => buildRequest("https://any.example/v1", { ...post, body })).toThrow(TypeError);
    body.getReader();
    expect(() => buildRequest("https://any.example/v1", { ...post, body, duplex: "half" })).toThrow(
      TypeError,
    );
  });
});

test.each([new Error("enough"), Object.create(null)])("an abort reaches the other side", async (reason) => {
  let seen: AbortSignal | undefined;
  const remote = connect(async ({ signal }) => {
    seen = signal;
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return new Response("aborted");
  });
  const abort = new AbortController();
  const answer = remote.fetch(new Request("https://any.example/v1", { signal: abort.signal }));
  while (!seen) await turn();
  abort.abort(reason);
  expect(await (await answer).text()).toBe("aborted");
  expect(seen.reason).toMatchObject({ name: "AbortError" });
});

test("a request whose body fails is aborted before the server reads the failure", async () => {
  const seen = vi.fn();
  const remote = connect(async (request) => {
    await request.text().catch(() => seen(request.signal.aborted));
    return new Response();
  });
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error("no disk")) });
  const request = new Request("https://any.example/v1", {
    method: "POST",
    body,
    duplex: "half",
  } as RequestInit);
  void remote.fetch(request);
  await vi.waitFor(() => expect(seen).toHaveBeenCalledExactlyOnceWith(true), PATIENCE_MS);
});

test("20 MB of request body: the sender stays within the window of what the server has read", async () => {
  const total = 20 * 1024 * 1024;
  const chunk = 64 * 1024;
  let pulled = 0;
  let read = 0;
  let farthest = 0;
  const body = new ReadableStream(
    {
      pull(controller) {
        controller.enqueue(new Uint8Array(chunk).fill(pulled / chunk));
        pulled += chunk;
        farthest = Math.max(farthest, pulled - read);
        if (pulled === total) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const remote = connect(async (request) => {
    for await (const bytes of request.body as unknown as AsyncIterable<Uint8Array>) {
      expect(bytes[0]).toBe(Math.floor(read / chunk) % 256);
      read += bytes.byteLength;
      if (read % (1024 * 1024) === 0) await turn();
    }
    return new Response(String(read));
  });
  const init = { method: "POST", body, duplex: "half" } as RequestInit;
  const response = await remote.fetch(new Request("https://any.example/v1", init));
  expect(await response.text()).toBe(String(total));
  // The window, the chunk that waits for credit, and the one that the reader holds.
  expect(farthest).toBeLessThanOrEqual(256 * 1024 + 2 * chunk);
});

test("a request that is sent again says so, and its server learns how much of the answer was read", async () => {
  const seen: RequestState[] = [];
  const remote = connect((request) => {
    seen.push(stateOf(request));
    // The body stays open: reads of an ended one are no longer acknowledged.
    return new Response(
      new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1000)) }),
    );
  });
  const request = buildRequest("https://any.example/v1", { method: "POST", body: "hi" });
  const unread = await remote.fetch(request);
  stateOf(request).attempt = 1;
  const response = await remote.fetch(request);
  expect(seen.map(({ attempt }) => attempt)).toEqual([0, 1]);
  expect(new Set(seen.map(({ id }) => id)).size).toBe(1);
  const reader = response.body!.getReader();
  await reader.read();
  // The next read acknowledges the previous chunk; without it, nothing is acknowledged.
  const next = reader.read();
  await expect.poll(() => seen[1]!.readBytes).toBe(1000);
  expect(seen[0]!.readBytes).toBe(0);
  await Promise.all([unread.body!.cancel(), reader.cancel(), next]);
});
