/**
 * Comlink transfer handlers for Request and Response. Import this module on both ends, and
 * `Comlink.wrap<ServerEndpoint>(port).fetch(new Request(…))` works as it stands.
 *
 * One port per message carries its body; the request's port also carries its abort. Request ids are minted
 * here, on the sending side, so that a request which is sent again is recognised.
 */

import { transferHandlers } from "comlink";
import { type ReceivedBody, receiveBody, sendBody } from "./body.ts";

interface WireRequest {
  id: string;
  url: string;
  method: string;
  headers: [string, string][];
  hasBody: boolean;
  port: MessagePort;
}

interface WireResponse {
  status: number;
  statusText: string;
  headers: [string, string][];
  /** Absent for a response without a body. */
  port?: MessagePort;
}

type AbortMessage = { type: "abort"; reason: string };

const NULL_BODY_STATUSES = new Set([101, 204, 205, 304]);

const requestIds = new WeakMap<Request, string>();
const receivedBodies = new WeakMap<Response, ReceivedBody>();

/** The id under which this request travels: a v4 UUID, the same on both ends. */
export function requestIdOf(request: Request): string {
  let id = requestIds.get(request);
  if (id === undefined) {
    id = crypto.randomUUID();
    requestIds.set(request, id);
  }
  return id;
}

/** Gives a request the id of the one that it was rebuilt from. */
export function keepRequestId(from: Request, to: Request): Request {
  requestIds.set(to, requestIdOf(from));
  return to;
}

/** The receiver behind the body of a response that came over a port. */
export function receivedBodyOf(response: Response): ReceivedBody | undefined {
  return receivedBodies.get(response);
}

function sendRequest(request: Request): [WireRequest, Transferable[]] {
  const { port1: local, port2: remote } = new MessageChannel();
  const onAbort = (): void => {
    local.postMessage({ type: "abort", reason: String(request.signal.reason) } satisfies AbortMessage);
  };
  if (request.signal.aborted) onAbort();
  else request.signal.addEventListener("abort", onAbort, { once: true });
  local.addEventListener("message", ({ data }: MessageEvent<{ type: string }>) => {
    if (data.type !== "done") return;
    request.signal.removeEventListener("abort", onAbort);
    local.close();
  });
  local.start();
  // Firefox has no Request.body: there the body is read whole before it is sent.
  const stream = "body" in request ? request.body : bodyOf(request);
  if (stream) void sendBody(stream, local);
  const wire: WireRequest = {
    id: requestIdOf(request),
    url: request.url,
    method: request.method,
    headers: [...request.headers],
    hasBody: stream !== null,
    port: remote,
  };
  return [wire, [remote]];
}

function bodyOf(request: Request): ReadableStream<Uint8Array> | null {
  if (request.method === "GET" || request.method === "HEAD") return null;
  return new Response(
    new ReadableStream<Uint8Array>({
      async pull(controller) {
        controller.enqueue(new Uint8Array(await request.arrayBuffer()));
        controller.close();
      },
    }),
  ).body;
}

function receiveRequest(wire: WireRequest): Request {
  const abort = new AbortController();
  wire.port.addEventListener("message", ({ data }: MessageEvent<AbortMessage | { type: string }>) => {
    if (data.type !== "abort" || !("reason" in data)) return;
    abort.abort(new DOMException(data.reason, "AbortError"));
  });
  wire.port.start();
  const body = wire.hasBody ? receiveBody(wire.port) : undefined;
  const init: RequestInit & { duplex?: "half" } = {
    method: wire.method,
    headers: wire.headers,
    signal: abort.signal,
  };
  if (body) Object.assign(init, { body: body.stream, duplex: "half" });
  const request = new Request(wire.url, init);
  requestIds.set(request, wire.id);
  requestPorts.set(request, wire.port);
  return request;
}

const requestPorts = new WeakMap<Request, MessagePort>();
const answeredRequests = new WeakMap<Response, Request>();

/** Says which request a response answers, so that the request's port is released when the last byte is sent. */
export function answers(request: Request, response: Response): Response {
  answeredRequests.set(response, request);
  return response;
}

function releaseRequest(response: Response): void {
  const request = answeredRequests.get(response);
  const port = request && requestPorts.get(request);
  port?.postMessage({ type: "done" });
  port?.close();
}

function sendResponse(response: Response): [WireResponse, Transferable[]] {
  const wire: WireResponse = {
    status: response.status,
    statusText: response.statusText,
    headers: [...response.headers],
  };
  if (!response.body) {
    releaseRequest(response);
    return [wire, []];
  }
  const { port1: local, port2: remote } = new MessageChannel();
  void sendBody(response.body, local).then(() => {
    local.close();
    releaseRequest(response);
  });
  wire.port = remote;
  return [wire, [remote]];
}

function receiveResponse(wire: WireResponse): Response {
  const body = wire.port ? receiveBody(wire.port) : undefined;
  const response = new Response(NULL_BODY_STATUSES.has(wire.status) ? null : (body?.stream ?? null), {
    status: wire.status,
    statusText: wire.statusText,
    headers: wire.headers,
  });
  if (body) {
    receivedBodies.set(response, body);
    void body.ended.then(() => wire.port?.close());
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
