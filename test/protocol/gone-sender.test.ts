/** What a server still does for a page that was closed or killed. */

import * as Comlink from "comlink";
import { afterEach, expect, test, vi } from "vitest";
import { messagesHandled } from "../../src/protocol/liveness/liveness.ts";
import { abortReceived, linkResponse } from "../../src/protocol/transfer/transfer-server.ts";
import "../../src/protocol/transfer/transfer-client.ts";
import type { ResponseWatch } from "../../src/protocol/transfer/response-watch.ts";
import type { ServerEndpoint } from "../../src/protocol/wire.ts";

/** Generous poll timeout for slow CI machines. */
const PATIENCE_MS = 30_000;

const open: MessagePort[] = [];

afterEach(() => {
  for (const port of open.splice(0)) port.close();
});

/** A bare comlink client of a bare comlink server. */
function connect(answer: (request: Request) => Response | Promise<Response>, watch: ResponseWatch = {}) {
  const { port1, port2 } = new MessageChannel();
  open.push(port1);
  const fetch = async (request: Request) => linkResponse(request, await answer(request), watch);
  Comlink.expose({ fetch }, port2);
  return Comlink.wrap<Pick<ServerEndpoint, "fetch">>(port1);
}

const gone = new DOMException("gone", "AbortError");

test("in the middle of its body: reading the body fails after what has arrived", async () => {
  const arrived = vi.fn();
  const failed = vi.fn();
  const remote = connect(async (request) => {
    const reader = request.body!.getReader();
    arrived((await reader.read()).value!.byteLength);
    const rest = reader.read().catch(failed);
    abortReceived(request, gone);
    await rest;
    return new Response();
  });
  const body = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(10)) });
  const init = { method: "POST", body, duplex: "half" } as RequestInit;
  void remote.fetch(new Request("https://any.example/v1", init));
  await vi.waitFor(() => expect(failed).toHaveBeenCalledExactlyOnceWith(gone), PATIENCE_MS);
  expect(arrived).toHaveBeenCalledExactlyOnceWith(10);
});

test("with its whole body sent: the body can still be read", async () => {
  const read = vi.fn();
  const remote = connect(async (request) => {
    const reader = request.body!.getReader();
    const first = await reader.read();
    await messagesHandled();
    abortReceived(request, gone);
    const second = await reader.read();
    read(first.value!.byteLength, second.value!.byteLength, (await reader.read()).done);
    return new Response();
  });
  const body = new ReadableStream({
    start(controller) {
      for (const bytes of [10, 20]) controller.enqueue(new Uint8Array(bytes));
      controller.close();
    },
  });
  const init = { method: "POST", body, duplex: "half" } as RequestInit;
  void remote.fetch(new Request("https://any.example/v1", init));
  await vi.waitFor(() => expect(read).toHaveBeenCalledExactlyOnceWith(10, 20, true), PATIENCE_MS);
});

test("with a response that ends within what may be in flight: the end arrives", async () => {
  let received!: Request;
  let end!: () => void;
  const remote = connect((request) => {
    received = request;
    const start = (controller: ReadableStreamDefaultController): void => {
      controller.enqueue(new Uint8Array(10));
      end = () => controller.close();
    };
    return new Response(new ReadableStream({ start }));
  });
  const response = await remote.fetch(new Request("https://any.example/v1"));
  abortReceived(received, gone);
  await messagesHandled();
  end();
  expect((await response.bytes()).byteLength).toBe(10);
});

test("with a response that it does not read: what makes the response is cancelled, and the end reported", async () => {
  const cancelled = vi.fn();
  const sent = vi.fn();
  let received!: Request;
  const remote = connect(
    (request) => {
      received = request;
      const pull = (controller: ReadableStreamDefaultController): void =>
        controller.enqueue(new Uint8Array(100_000));
      return new Response(new ReadableStream({ pull, cancel: cancelled }, { highWaterMark: 0 }));
    },
    { onSent: sent },
  );
  await remote.fetch(new Request("https://any.example/v1"));
  abortReceived(received, gone);
  await vi.waitFor(() => expect(sent).toHaveBeenCalledOnce(), PATIENCE_MS);
  expect(cancelled).toHaveBeenCalledExactlyOnceWith(gone);
});
