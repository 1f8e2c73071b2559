/** A response that is not streamed is one message: if its server ends, the page has all of it or nothing. */

import * as Comlink from "comlink";
import { afterEach, expect, test } from "vitest";
import type { ResponseWatch } from "../../src/protocol/transfer/response-watch.ts";
import { receivedBodyOf } from "../../src/protocol/transfer/transfer-client.ts";
import { linkWhole } from "../../src/protocol/transfer/transfer-server.ts";
import type { ServerEndpoint } from "../../src/protocol/wire.ts";

/** Several times what may be in flight of a stream. */
const TEXT = "whole ".repeat(200_000);

const open: MessagePort[] = [];
afterEach(() => {
  for (const port of open.splice(0)) port.close();
});

function connect() {
  const { port1, port2 } = new MessageChannel();
  open.push(port1);
  const seen: string[] = [];
  const watch: ResponseWatch = {
    onSent: () => seen.push("sent"),
    onTaken: () => seen.push("taken"),
    onEnd: (isRead) => seen.push(isRead ? "read" : "abandoned"),
  };
  const fetch = (request: Request) => linkWhole(request, new Response(TEXT, { status: 201 }), watch);
  Comlink.expose({ fetch }, port2);
  const remote = Comlink.wrap<Pick<ServerEndpoint, "fetch">>(port1);
  return { seen, fetch: (init?: RequestInit) => remote.fetch(new Request("https://any.example/v1", init)) };
}

test("it is complete when it arrives, and its server learns that it was read", async () => {
  const { seen, fetch } = connect();
  const response = await fetch();
  const body = receivedBodyOf(response)!;
  // The server has ended.
  body.cutOff(new Error("The server has ended."));
  body.take();
  expect(response.status).toBe(201);
  expect(await response.text()).toBe(TEXT);
  await expect.poll(() => seen).toEqual(["sent", "taken", "read"]);
});

test("it can be read in parts, and its server learns that the rest was not wanted", async () => {
  const { seen, fetch } = connect();
  const reader = (await fetch()).body!.getReader({ mode: "byob" });
  const { value } = await reader.read(new Uint8Array(10));
  expect(new TextDecoder().decode(value)).toBe(TEXT.slice(0, 10));
  await reader.cancel("enough");
  await expect.poll(() => seen).toEqual(["sent", "abandoned"]);
});

test("its server learns that the request was aborted", async () => {
  const { seen, fetch } = connect();
  const abort = new AbortController();
  await fetch({ signal: abort.signal });
  abort.abort();
  await expect.poll(() => seen).toEqual(["sent", "abandoned"]);
});
