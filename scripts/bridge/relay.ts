/** Relays one HTTP request to the hosted page and its response back, byte for byte. */

import { randomUUID, timingSafeEqual } from "node:crypto";
import { type IncomingMessage, type ServerResponse, validateHeaderValue } from "node:http";
import type { Exchange } from "../host/channel.ts";
import { type Failure, type RequestHead, WINDOW_BYTES } from "../host/frames.ts";
import type { HostedRuntime } from "../host/hosted-runtime.ts";

/** Methods that a browser's Request rejects (https://fetch.spec.whatwg.org/#methods). */
const METHODS_WITHOUT_FETCH = new Set(["CONNECT", "TRACE", "TRACK"]);
const METHODS_WITHOUT_BODY = new Set(["GET", "HEAD"]);

export type Relay = (request: IncomingMessage, response: ServerResponse) => void;

/** @param key accepted in addition to the page's own key */
export function createRelay(runtime: HostedRuntime, key: string | undefined): Relay {
  // Empty if the API is at the root.
  const basePath = new URL(runtime.baseURL).pathname.replace(/\/$/, "");
  return (request, response) => {
    // The client may leave while the runtime starts; `close` is not emitted again.
    if (response.destroyed) return;
    const method = request.method ?? "GET";
    const path = pathOf(request.url ?? "/");
    if (path === undefined) {
      return sendFailure(response, 400, "invalid_url", `Invalid request URL: ${method} ${request.url}.`);
    }
    if (METHODS_WITHOUT_FETCH.has(method)) {
      return sendFailure(response, 501, "method_not_supported", `A page cannot send ${method}.`);
    }
    // Outside its base, the page's fetch is the native one, which clients must not reach.
    if (!isUnder(basePath, path)) {
      const message = `Unknown request URL: ${method} ${path}. The API is at ${basePath || "/"}.`;
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
      const refused = headers.find(([name, value]) => !isSendable(name, value));
      if (refused) {
        exchange.abort();
        const message = `The response's header '${refused[0]}' has a character that HTTP forbids.`;
        sendFailure(response, 502, "invalid_response_header", message);
        return drain(request);
      }
      // A constructed Response has no reason phrase; Node then adds the usual one.
      if (statusText !== "") response.statusMessage = statusText;
      response.writeHead(status, headers.flat());
      response.flushHeaders();
    },
    onChunk: (bytes) => void response.write(bytes, () => exchange.giveCredit(bytes.byteLength)),
    onEnd: () => {
      response.end();
      drain(request);
    },
    onError: (failure) => {
      fail(response, failure);
      drain(request);
    },
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

/** Control characters are valid in a page's Response, but Node throws for them. */
function isSendable(name: string, value: string): boolean {
  try {
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}

/** Discards the rest of an unused body, so that the connection can be reused. */
function drain(request: IncomingMessage): void {
  request.removeAllListeners("data");
  request.resume();
}

/**
 * Normalized path and query; a proxy's absolute URL loses its origin. Undefined for an invalid URL, which Node's
 * parser accepts.
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

/** Replaces `key` with the page's own. Other keys are forwarded and rejected by the runtime. */
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

/** Sends an error response or, after the head, cuts the connection so that the client notices missing bytes. */
function fail(response: ServerResponse, { code, message }: Failure): void {
  if (response.headersSent) response.destroy();
  else sendFailure(response, 502, code, message);
}

/** Error of the bridge, in the runtime's format. */
export function sendFailure(response: ServerResponse, status: number, code: string, message: string): void {
  const type = status < 500 ? "invalid_request_error" : "server_error";
  response
    .writeHead(status, { "content-type": "application/json", "x-request-id": randomUUID() })
    .end(JSON.stringify({ error: { message, type, param: null, code } }));
}
