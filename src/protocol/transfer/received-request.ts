/**
 * Requests with a stream body received over a port. Firefox does not accept a stream as a Request body, so the body
 * is held by a Response and the request's readers delegate to it. `new Request(request)` would lose such a body.
 */

import { BODY_READERS, type StreamInit } from "./request-body.ts";
import { copyState } from "./request-state.ts";

/** Responses that hold the bodies of such requests. */
const carriers = new WeakMap<Request, Response>();

/** Creates a request with `stream` as its body. */
export function streamingRequest(url: string, init: StreamInit, stream: ReadableStream): Request {
  if (takesStreams()) return new Request(url, { ...init, body: stream, duplex: "half" } as StreamInit);
  const { headers } = init;
  return carry(new Response(stream, headers && { headers }), new Request(url, init));
}

/** Copies the request to another URL. Consumes the original. */
export function moveRequest(request: Request, url: URL): Request {
  const carrier = carriers.get(request);
  const { method, headers, signal } = request;
  const moved = copyState(request, new Request(url, carrier ? { method, headers, signal } : request));
  return carrier ? carry(carrier, moved) : moved;
}

/** Firefox converts a stream body to a string and sets a text content type. */
function takesStreams(): boolean {
  const init: StreamInit = { method: "POST", body: new ReadableStream(), duplex: "half" };
  return !new Request("https://infetch.invalid", init).headers.has("content-type");
}

function carry(carrier: Response, request: Request): Request {
  const { clone } = request;
  const define = (name: string, get: () => unknown): void => {
    Object.defineProperty(request, name, { get });
  };
  for (const name of BODY_READERS) define(name, () => carrier[name]?.bind(carrier));
  define("body", () => carrier.body);
  define("bodyUsed", () => carrier.bodyUsed);
  define("clone", () => () => carry(carrier.clone(), clone.call(request)));
  carriers.set(request, carrier);
  return request;
}
