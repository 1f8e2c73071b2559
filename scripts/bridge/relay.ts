/** Hands one HTTP request to the hosted page, and its answer back, byte for byte. */

import { randomUUID, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Exchange } from "../host/channel.ts";
import { type Failure, type RequestHead, WINDOW_BYTES } from "../host/frames.ts";
import type { HostedRuntime } from "../host/hosted-runtime.ts";

/** Methods that a page's Request refuses to be made with (https://fetch.spec.whatwg.org/#methods). */
const METHODS_WITHOUT_FETCH = new Set(["CONNECT", "TRACE", "TRACK"]);
const METHODS_WITHOUT_BODY = new Set(["GET", "HEAD"]);

export type Relay = (request: IncomingMessage, response: ServerResponse) => void;

/** @param key what clients send instead of the page's own key; the page's own stays valid */
export function createRelay(runtime: HostedRuntime, key: string | undefined): Relay {
  const basePath = new URL(runtime.baseURL).pathname;
  return (request, response) => {
    const method = request.method ?? "GET";
    const path = pathOf(request.url ?? "/");
    if (path === undefined) {
      return sendFailure(response, 400, "invalid_url", `Invalid request URL: ${method} ${request.url}.`);
    }
    if (METHODS_WITHOUT_FETCH.has(method)) {
      return sendFailure(response, 501, "method_not_supported", `A page cannot send ${method}.`);
    }
    // Outside its base, the page's fetch would be the real one: nothing of that is for clients.
    if (!isUnder(basePath, path)) {
      const message = `Unknown request URL: ${method} ${path}. The API is at ${basePath}.`;
      return sendFailure(response, 404, "unknown_url", message);
    }
    const headers = withPageKey(pairs(request.rawHeaders), key, runtime.apiKey);
    const hasBody = !METHODS_WITHOUT_BODY.has(method) && hasPayload(request);
    relay(runtime, { method, path, headers, hasBody }, request, response);
  };
}

function relay(
  runtime: HostedRuntime,
  head: RequestHead,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  let unused = 0;
  const exchange: Exchange = runtime.channel.start(head, {
    onHead: ({ status, statusText, headers }) => {
      // A made Response has no reason phrase: Node then puts in the usual one.
      if (statusText !== "") response.statusMessage = statusText;
      response.writeHead(status, headers.flat());
      response.flushHeaders();
    },
    onChunk: (bytes) => void response.write(bytes, () => exchange.giveCredit(bytes.byteLength)),
    onEnd: () => {
      response.end();
      drain(request);
    },
    onError: (failure) => fail(response, failure),
    onCredit: (bytes) => {
      unused -= bytes;
      if (unused < WINDOW_BYTES) request.resume();
    },
  });
  if (head.hasBody) {
    request.on("data", (bytes: Buffer) => {
      exchange.sendChunk(bytes);
      unused += bytes.byteLength;
      if (unused >= WINDOW_BYTES) request.pause();
    });
    request.on("end", () => exchange.endBody());
  } else {
    request.resume();
  }
  response.on("close", () => {
    if (!response.writableFinished) exchange.abort();
  });
}

/** Lets the rest of a body that nobody wants pass by, so that the connection can be used again. */
function drain(request: IncomingMessage): void {
  request.removeAllListeners("data");
  request.resume();
}

/**
 * Path and query as a URL has them, dots resolved; a proxy's absolute address loses its origin. Undefined for what
 * is no URL: Node's parser lets that through.
 */
function pathOf(target: string): string | undefined {
  const address = target.startsWith("/") ? `http://loopback${target}` : target;
  if (!URL.canParse(address, "http://loopback")) return undefined;
  const url = new URL(address, "http://loopback");
  return url.pathname + url.search;
}

function isUnder(basePath: string, path: string): boolean {
  const pathname = path.split(/[?#]/)[0]!;
  return pathname === basePath || pathname.startsWith(`${basePath}/`);
}

function hasPayload(request: IncomingMessage): boolean {
  const length = request.headers["content-length"];
  return request.headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}

function pairs(rawHeaders: string[]): [string, string][] {
  return Array.from({ length: rawHeaders.length / 2 }, (_, at) => [
    rawHeaders[2 * at]!,
    rawHeaders[2 * at + 1]!,
  ]);
}

/** Puts the page's key where the client sent `key`. Any other key goes through: the runtime refuses it. */
function withPageKey(
  headers: [string, string][],
  key: string | undefined,
  pageKey: string,
): [string, string][] {
  if (key === undefined) return headers;
  return headers.map(([name, value]) => {
    if (name.toLowerCase() !== "authorization") return [name, value];
    const sent = /^bearer +(\S+) *$/i.exec(value)?.[1];
    return [name, sent !== undefined && isEqual(sent, key) ? `Bearer ${pageKey}` : value];
  });
}

function isEqual(sent: string, expected: string): boolean {
  const [left, right] = [Buffer.from(sent), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Before the head: a proper error. After it, only a cut connection tells the client that bytes are missing. */
function fail(response: ServerResponse, { code, message }: Failure): void {
  if (response.headersSent) response.destroy();
  else sendFailure(response, 502, code, message);
}

/** An error of the bridge itself, in the form of the runtime's. */
export function sendFailure(response: ServerResponse, status: number, code: string, message: string): void {
  const type = status < 500 ? "invalid_request_error" : "server_error";
  response
    .writeHead(status, { "content-type": "application/json", "x-request-id": randomUUID() })
    .end(JSON.stringify({ error: { message, type, param: null, code } }));
}
