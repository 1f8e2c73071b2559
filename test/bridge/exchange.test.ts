/** The byte path without a browser: HTTP client → relay → channel ⇄ page exchange → fetch. */

import { createServer } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRelay } from "../../scripts/bridge/relay.ts";
import { Channel } from "../../scripts/host/channel.ts";
import { decodeFrame, encodeFrame, Frame, payloadJson, type RequestHead } from "../../scripts/host/frames.ts";
import { PageExchange } from "../../scripts/host/page-exchange.ts";
import { closeServer, listen } from "../../scripts/servers/static-server.ts";
import { fc } from "../support/random.ts";

type Answer = (request: Request) => Response | Promise<Response>;

const PAGE_KEY = "infetch-page-key";
let answer: Answer;
let address: string;
const server = createServer();

/** A page in this process: real exchanges, with a fetch that the test provides. */
function connectPage(): Channel {
  const exchanges = new Map<number, PageExchange>();
  const channel = new Channel(
    (bytes) => {
      const frame = decodeFrame(new Uint8Array(bytes));
      if (frame.type !== Frame.request) return exchanges.get(frame.id)?.receive(frame);
      const head = payloadJson<RequestHead>(frame);
      const exchange = new PageExchange((type, payload) =>
        queueMicrotask(() => channel.receive(encodeFrame(type, frame.id, payload))),
      );
      exchanges.set(frame.id, exchange);
      const fetch = async (url: unknown, init?: RequestInit) => {
        const request = new Request(String(url), init);
        return answer(request);
      };
      void exchange.run(fetch, `http://page${head.path}`, head);
    },
    { onReady: () => {}, onFailed: () => {}, onEvent: () => {} },
  );
  return channel;
}

const runtimeAt = (baseURL: string) => ({
  apiKey: PAGE_KEY,
  baseURL,
  channel: connectPage(),
  died: new Promise<string>(() => {}),
  close: async () => {},
});

beforeAll(async () => {
  server.on("request", createRelay(runtimeAt("http://page/v1"), "mine"));
  address = await listen(server, 0);
});
afterAll(() => closeServer(server));

test("any bytes come back as they went, in whatever pieces", async () => {
  answer = (request) => new Response(request.body, { status: 201, headers: { "x-kind": "echo" } });
  const pieces = fc.array(fc.uint8Array({ maxLength: 5000 }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(pieces, async (chunks) => {
      const body = new ReadableStream({
        start(controller) {
          for (const chunk of chunks) if (chunk.length > 0) controller.enqueue(chunk);
          controller.close();
        },
      });
      const init = { method: "PUT", body, duplex: "half" } as RequestInit;
      const response = await fetch(`${address}/v1/files`, init);
      expect([response.status, response.headers.get("x-kind")]).toEqual([201, "echo"]);
      expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.concat(chunks))).toBe(true);
    }),
    { numRuns: 30 },
  );
});

test("a body far larger than the window passes, up and down", async () => {
  answer = (request) => new Response(request.body);
  const body = new Uint8Array(5_000_000).map((_, at) => at % 251);
  const response = await fetch(`${address}/v1/files`, { method: "POST", body });
  expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.from(body))).toBe(true);
});

test("a reader that stops reading holds back the sender", async () => {
  let sent = 0;
  answer = () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          sent += 65_536;
          controller.enqueue(new Uint8Array(65_536));
        },
      }),
    );
  const leave = new AbortController();
  const response = await fetch(`${address}/v1/files`, { signal: leave.signal });
  const reader = response.body!.getReader();
  await reader.read();
  let before = -1;
  // Socket and window buffers are finite, so pulls eventually stop.
  await expect
    .poll(() => {
      const grown = sent - before;
      before = sent;
      return grown;
    })
    .toBe(0);
  expect(sent).toBeLessThan(50_000_000);
  leave.abort();
});

test("method, path, query and headers arrive; the key of the command becomes the page's", async () => {
  let seen: Request | undefined;
  answer = (request) => {
    seen = request;
    return new Response(null, { status: 204 });
  };
  const headers = { authorization: "bearer mine", "x-other": "kept" };
  const response = await fetch(`${address}/v1/a%20b?limit=1&limit=2`, { method: "PATCH", headers });
  expect(response.status).toBe(204);
  expect([seen?.method, seen?.url]).toEqual(["PATCH", "http://page/v1/a%20b?limit=1&limit=2"]);
  expect(seen?.headers.get("authorization")).toBe(`Bearer ${PAGE_KEY}`);
  expect(seen?.headers.get("x-other")).toBe("kept");
  await fetch(`${address}/v1/x`, { headers: { authorization: "Bearer other" } });
  expect(seen?.headers.get("authorization")).toBe("Bearer other");
});

test("a client that leaves aborts the request inside, before and during the answer", async () => {
  for (const answered of [false, true]) {
    const leave = new AbortController();
    const aborted = new Promise<void>((settle) => {
      answer = (request) => {
        request.signal.addEventListener("abort", () => settle());
        if (!answered) leave.abort();
        return answered ? new Response(new ReadableStream()) : new Promise<Response>(() => {});
      };
    });
    const response = fetch(`${address}/v1/x`, { signal: leave.signal });
    if (answered) {
      await response;
      leave.abort();
    } else await expect(response).rejects.toThrow();
    await aborted;
  }
});

test("what fails before the answer is a 502 with the code; what fails in it cuts the connection", async () => {
  answer = () => Promise.reject(Object.assign(new Error("It died."), { code: "worker_lost" }));
  const failed = await fetch(`${address}/v1/x`);
  expect(failed.status).toBe(502);
  expect(await failed.json()).toEqual({
    error: { message: "It died.", type: "server_error", param: null, code: "worker_lost" },
  });
  const body = new ReadableStream({
    async pull(controller) {
      controller.enqueue(new Uint8Array(10));
      controller.error(new Error("It died."));
    },
  });
  answer = () => new Response(body);
  await expect(fetch(`${address}/v1/x`).then((response) => response.text())).rejects.toThrow();
});

test("a client that leaves before the runtime is ready has no request inside", async () => {
  const starting = createServer();
  const leave = new AbortController();
  let isAsked = false;
  answer = () => {
    isAsked = true;
    return new Response();
  };
  const handle = createRelay(runtimeAt("http://page/v1"), undefined);
  const left = new Promise<void>((settle) => {
    starting.on("request", (request, response) => {
      response.on("close", () => {
        handle(request, response);
        settle();
      });
      leave.abort();
    });
  });
  const init = { method: "POST", body: "{}", signal: leave.signal };
  await expect(fetch(`${await listen(starting, 0)}/v1/x`, init)).rejects.toThrow();
  await left;
  // Frames pass in microtasks.
  await new Promise((resume) => setTimeout(resume, 20));
  expect(isAsked).toBe(false);
  await closeServer(starting);
});

test("the rest of an upload that has failed is discarded: its connection takes the next request", async () => {
  answer = ({ method }) =>
    method === "GET" ? new Response(null, { status: 204 }) : Promise.reject(new Error("It died."));
  const length = 2_000_000;
  const socket = connect(Number(new URL(address).port), "127.0.0.1");
  let text = "";
  socket.setEncoding("latin1").on("data", (piece: string) => {
    text += piece;
  });
  const head = "Host: 127.0.0.1\r\n";
  socket.write(`POST /v1/x HTTP/1.1\r\n${head}Content-Length: ${length}\r\n\r\n`);
  socket.write(new Uint8Array(length));
  socket.write(`GET /v1/x HTTP/1.1\r\n${head}\r\n`);
  await expect
    .poll(() => text.match(/HTTP\/1.1 \d+/g), { timeout: 5_000 })
    .toEqual(["HTTP/1.1 502", "HTTP/1.1 204"]);
  socket.destroy();
});

test("an API at the root of its origin", async () => {
  answer = ({ url }) => new Response(url);
  const root = createServer(createRelay(runtimeAt("http://page"), undefined));
  const response = await fetch(`${await listen(root, 0)}/models?a=1`);
  expect([response.status, await response.text()]).toEqual([200, "http://page/models?a=1"]);
  await closeServer(root);
});

test("a header that HTTP forbids is a 502, and the next request is served", async () => {
  answer = () => new Response("x", { headers: { "retry-after": "1\u0001" } });
  const refused = await fetch(`${address}/v1/models`);
  expect(refused.status).toBe(502);
  expect((await refused.json()).error).toMatchObject({
    code: "invalid_response_header",
    message: expect.stringContaining("'retry-after'"),
  });
  answer = () => new Response("fine");
  expect(await (await fetch(`${address}/v1/models`)).text()).toBe("fine");
});
