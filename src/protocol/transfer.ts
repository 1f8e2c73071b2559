/**
 * Comlink transfer handlers for Request and Response. Import this module on both ends, and
 * `Comlink.wrap<ServerEndpoint>(port).fetch(new Request(…))` works as it stands.
 *
 * One port per message carries its body; the request's port also carries its abort. Request ids are minted
 * here, on the sending side, so that a request which is sent again is recognised.
 */

import { transferHandlers } from "comlink";
import { type ReceivedBody, receiveBody, sendBody } from "./body.ts";
import { factsOf, keepFacts, receiveFacts, requestIdOf } from "./request-facts.ts";

export { keepFacts as keepRequestId, requestIdOf };

interface WireRequest {
  id: string;
  /** An earlier server died before anything of its answer was seen. */
  isResent: boolean;
  url: string;
  method: string;
  headers: [string, string][];
  /** Whether the body comes over the port. */
  hasBody: boolean;
  /** The whole body, where it is a short text. */
  text?: string | undefined;
  port: MessagePort;
}

interface WireResponse {
  status: number;
  statusText: string;
  headers: [string, string][];
  /** Absent for a response without a body. */
  port?: MessagePort;
}

/** TypeScript's own type does not know `duplex` yet. */
type StreamInit = RequestInit & { duplex?: "half" };

type AbortMessage = { type: "abort"; reason: string };

/** A request on its way out. */
export interface SentRequest {
  /** Rejects when the request's own body fails; otherwise it stays pending. */
  bodyFailed: Promise<never>;
  /** Stops sending and lets go of signal and port. Without it, the answer's last byte does that. */
  release(reason?: unknown): void;
}

const sentRequests = new WeakMap<Request, SentRequest>();
const receivedRequests = new WeakMap<Request, { port: MessagePort; abort: AbortController }>();
const heldBodies = new WeakMap<Request, ReadableStream>();
const receivedBodies = new WeakMap<Response, ReceivedBody>();
const answered = new WeakMap<Response, { request: Request; onSent: () => void }>();

/** What became of a request that was handed to a remote end. */
export function sentRequestOf(request: Request): SentRequest | undefined {
  return sentRequests.get(request);
}

/** The receiver behind the body of a response that came over a port. */
export function receivedBodyOf(response: Response): ReceivedBody | undefined {
  return receivedBodies.get(response);
}

/**
 * A received request with its body in it. Nearly everywhere it has it already, as a stream; where the browser
 * takes no streams (Firefox), the body is collected first.
 */
export async function withBody(request: Request): Promise<Request> {
  const stream = heldBodies.get(request);
  if (!stream) return request;
  // Where it failed, the sender knows and waits for no answer.
  const body = await new Response(stream).arrayBuffer().catch(() => "");
  return keepFacts(request, new Request(request, { body }));
}

/** Aborts a request that came over a port, as its sender could: for a sender that is gone. */
export function abortReceived(request: Request, reason: unknown): void {
  receivedRequests.get(request)?.abort.abort(reason);
}

/**
 * Says which request a response answers, so that the request's port is released when the last byte is sent.
 *
 * @param onSent called then
 */
export function answers(request: Request, response: Response, onSent: () => void = () => {}): Response {
  answered.set(response, {
    request,
    onSent() {
      const port = receivedRequests.get(request)?.port;
      port?.postMessage({ type: "done" });
      port?.close();
      onSent();
    },
  });
  return response;
}

function sendRequest(request: Request): [WireRequest, Transferable[]] {
  const { port1: local, port2: remote } = new MessageChannel();
  const { signal } = request;
  const sending = new AbortController();
  const onAbort = (): void => {
    local.postMessage({ type: "abort", reason: String(signal.reason) } satisfies AbortMessage);
    sending.abort(signal.reason);
  };
  const release = (reason?: unknown): void => {
    signal.removeEventListener("abort", onAbort);
    sending.abort(reason);
    local.close();
  };
  local.addEventListener("message", ({ data }) => {
    if (data.type === "done") release();
  });
  local.start();
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort);
  const { isResent, text } = factsOf(request);
  const stream = text === undefined ? bodyOf(request) : null;
  const bodyFailed = new Promise<never>((_, reject) => {
    if (!stream) return;
    sendBody(stream, local, sending.signal).catch((cause) => {
      // As the real fetch words it: the stream's own error is no error of the caller's.
      if (!sending.signal.aborted) reject(new TypeError("The body of the request failed.", { cause }));
    });
  });
  bodyFailed.catch(() => {});
  sentRequests.set(request, { bodyFailed, release });
  const wire: WireRequest = {
    id: requestIdOf(request),
    isResent,
    url: request.url,
    method: request.method,
    headers: [...request.headers],
    hasBody: stream !== null,
    text,
    port: remote,
  };
  return [wire, [remote]];
}

/** Firefox has no Request.body: there the body is read whole before it is sent. */
function bodyOf(request: Request): ReadableStream<Uint8Array> | null {
  if ("body" in request) return request.body;
  const { method } = request as Request;
  if (method === "GET" || method === "HEAD") return null;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      controller.enqueue(new Uint8Array(await (request as Request).arrayBuffer()));
      controller.close();
    },
  });
}

function receiveRequest(wire: WireRequest): Request {
  const { port, url, method, headers, text } = wire;
  const abort = new AbortController();
  port.addEventListener("message", ({ data }: MessageEvent<AbortMessage>) => {
    if (data.type === "abort") abort.abort(new DOMException(data.reason, "AbortError"));
  });
  port.start();
  const init: StreamInit = {
    method,
    headers,
    signal: abort.signal,
    ...(text !== undefined && { body: text }),
  };
  const stream = wire.hasBody && receiveBody(port).stream;
  const streams = stream && takesStreams();
  if (streams) Object.assign(init, { body: stream, duplex: "half" });
  const request = new Request(url, init);
  if (stream && !streams) heldBodies.set(request, stream);
  receiveFacts(request, wire);
  receivedRequests.set(request, { port, abort });
  return request;
}

/** Firefox makes text of a stream that is given as a request's body, and labels it as text. */
function takesStreams(): boolean {
  const init: StreamInit = { method: "POST", body: new ReadableStream(), duplex: "half" };
  return !new Request("https://infetch.invalid", init).headers.has("content-type");
}

function sendResponse(response: Response): [WireResponse, Transferable[]] {
  const { status, statusText, headers, body } = response;
  const wire: WireResponse = { status, statusText, headers: [...headers] };
  const { request, onSent = () => {} } = answered.get(response) ?? {};
  if (!body) {
    onSent();
    return [wire, []];
  }
  const { port1: local, port2: remote } = new MessageChannel();
  const facts = request && factsOf(request);
  if (facts) facts.readBytes = 0;
  const onRead = (bytes: number): void => {
    if (facts) facts.readBytes! += bytes;
  };
  sendBody(body, local, undefined, onRead)
    .catch(() => {
      // The receiver was told.
    })
    .then(() => {
      local.close();
      onSent();
    });
  wire.port = remote;
  return [wire, [remote]];
}

function receiveResponse({ port, ...init }: WireResponse): Response {
  const body = port && receiveBody(port);
  const response = new Response(body?.stream ?? null, init);
  if (body) {
    receivedBodies.set(response, body);
    void body.received.then(() => port.close());
  }
  return response;
}

transferHandlers.set("infetch.request", {
  canHandle: (value): value is Request => value instanceof Request,
  serialize: sendRequest,
  deserialize: receiveRequest,
});

transferHandlers.set("infetch.response", {
  canHandle: (value): value is Response => value instanceof Response,
  serialize: sendResponse,
  deserialize: receiveResponse,
});
