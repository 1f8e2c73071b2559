/** A response that nothing can read any more is cancelled, as by a browser's own fetch; one that can be read is not. */

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as Comlink from "comlink";
import { afterEach, expect, test } from "vitest";
import { messagesHandled } from "../../src/protocol/liveness/liveness.ts";
import type { ResponseWatch } from "../../src/protocol/transfer/response-watch.ts";
import { receivedBodyOf } from "../../src/protocol/transfer/transfer-client.ts";
import { linkResponse, linkWhole } from "../../src/protocol/transfer/transfer-server.ts";
import type { ServerEndpoint } from "../../src/protocol/wire.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** A task ends, and with it what its WeakRefs hold. */
const turn = () => new Promise((resolve) => setTimeout(resolve));

async function collectUntil(isDone: () => boolean): Promise<void> {
  while (!isDone()) {
    collectGarbage();
    await turn();
  }
}

/** Everything that is garbage now has been collected, and what its end has sent has arrived. */
async function collectAll(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    let isCollected = false;
    const canaries = new FinalizationRegistry(() => {
      isCollected = true;
    });
    canaries.register({}, undefined);
    await collectUntil(() => isCollected);
  }
  await messagesHandled();
}

const open: MessagePort[] = [];
afterEach(() => {
  for (const port of open.splice(0)) port.close();
});

/** A server whose replies end when a test says so. */
function connect() {
  const { port1, port2 } = new MessageChannel();
  open.push(port1);
  const seen: string[] = [];
  const replies: ReadableStreamDefaultController<Uint8Array>[] = [];
  const watch: ResponseWatch = { onEnd: (isRead) => seen.push(isRead ? "read" : "abandoned") };
  const fetch = async (request: Request) => {
    if (request.url.endsWith("/whole")) return linkWhole(request, new Response("whole"), watch);
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => void replies.push(controller),
      cancel: (reason) => void seen.push(reason),
    });
    return linkResponse(request, new Response(body));
  };
  Comlink.expose({ fetch }, port2);
  const remote = Comlink.wrap<Pick<ServerEndpoint, "fetch">>(port1);
  const send = (text: string) => replies[0]!.enqueue(new TextEncoder().encode(text));
  return {
    seen,
    send,
    end: () => replies[0]!.close(),
    fetch: (path = "", init?: RequestInit) =>
      remote.fetch(new Request(`https://any.example/v1${path}`, init)),
  };
}

test("a stream whose response is garbage is cancelled, also after its first event", async () => {
  for (const isBegun of [false, true]) {
    const { seen, send, fetch } = connect();
    const { signal } = new AbortController();
    const begin = async (): Promise<void> => {
      const response = await fetch("", { signal });
      send("first");
      if (isBegun) await response.body!.getReader().read();
    };
    await begin();
    await collectUntil(() => seen.length > 0);
    expect(seen).toEqual(["The response was not read."]);
  }
});

test("a stream is not cancelled while a reader is there, or a read waits", async () => {
  const { seen, send, end, fetch } = connect();
  const reader = await fetch().then((response) => response.body!.getReader());
  await collectAll();
  send("first");
  const { value } = await reader.read();
  expect(new TextDecoder().decode(value)).toBe("first");
  await collectAll();
  const rest = (async () => {
    let text = "";
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      text += new TextDecoder().decode(read.value);
    }
    return text;
  })();
  await collectAll();
  send("second");
  await collectAll();
  send("third");
  end();
  expect(await rest).toBe("secondthird");
  expect(seen).toEqual([]);
});

test.each(["text", "clone", "pipe"])("nor while it is read by the platform: %s", async (how) => {
  const { seen, send, end, fetch } = connect();
  const reading = fetch().then((response) => {
    if (how === "text") return response.text();
    if (how === "clone") return response.clone().text();
    return new Response(response.body!.pipeThrough(new TransformStream())).text();
  });
  await collectAll();
  send("first");
  await collectAll();
  send("second");
  end();
  expect(await reading).toBe("firstsecond");
  expect(seen).toEqual([]);
});

test("a read that waits fails if the request is aborted, although the response is garbage", async () => {
  const { fetch } = connect();
  const begin = async () => {
    const response = await fetch();
    return { body: receivedBodyOf(response)!, read: response.body!.getReader().read() };
  };
  const { body, read } = await begin();
  await collectAll();
  body.fail(new Error("aborted"));
  await expect(read).rejects.toThrow("aborted");
});

test("a response that arrived as a whole stays charged", async () => {
  const { seen, fetch } = connect();
  await fetch("/whole").then(({ status }) => status);
  await collectUntil(() => seen.length > 0);
  expect(seen).toEqual(["read"]);
});
