/** Server end: receives requests and sends responses. */

import { messagesHandled } from "../liveness/liveness.ts";
import { sendBody } from "./body.ts";
import type { Bytes } from "./byte-stream.ts";
import { ReceivedBody } from "./received-body.ts";
import { streamingRequest } from "./received-request.ts";
import { receiveState, stateOf } from "./request-state.ts";
import { type ResponseWatch, watchEnd } from "./response-watch.ts";
import { type AbortMessage, registerEnd, type WireRequest, type WireResponse } from "./transfer-wire.ts";

interface Received {
  port: MessagePort;
  abort: AbortController;
  /** Aborts when the response will be read no more. */
  gone: AbortController;
  /** Absent for a request without a body, or with a short text. */
  body: ReceivedBody | undefined;
}

const receivedRequests = new WeakMap<Request, Received>();
interface Linked {
  request: Request;
  watch: ResponseWatch;
  /** The body, if it is sent with the head. */
  whole?: Bytes;
}

const linked = new WeakMap<Response, Linked>();

/** Aborts a request on behalf of a sender that is gone. What waits for its body, or for it to read a response, ends. */
export function abortReceived(request: Request, reason: unknown): void {
  const received = receivedRequests.get(request);
  if (!received) return;
  received.abort.abort(reason);
  received.body?.cutOff(reason);
  // Its last read acknowledgements count.
  void messagesHandled().then(() => received.gone.abort(reason));
}

/** Links a response to its request, so that the request's port is released when the last byte is sent. */
export function linkResponse(request: Request, response: Response, watch: ResponseWatch = {}): Response {
  linked.set(response, { request, watch });
  return response;
}

/**
 * Links a response that is sent in one message, with its body: if this server ends, the page has all of it or nothing,
 * and sends the request again.
 */
export async function linkWhole(
  request: Request,
  response: Response,
  watch: ResponseWatch,
): Promise<Response> {
  linked.set(response, { request, watch, whole: new Uint8Array(await response.arrayBuffer()) });
  return response;
}

function releaseReceived(request: Request): void {
  const port = receivedRequests.get(request)?.port;
  port?.postMessage({ type: "done" });
  port?.close();
}

function receiveRequest(wire: WireRequest): Request {
  const { port, url, method, headers, text } = wire;
  const abort = new AbortController();
  port.addEventListener("message", ({ data }: MessageEvent<AbortMessage>) => {
    if (data.type === "abort") abort.abort(new DOMException(data.reason, "AbortError"));
  });
  port.start();
  const init = { method, headers, signal: abort.signal };
  const body = wire.hasBody ? new ReceivedBody(port) : undefined;
  // The caller's fetch has rejected: nothing will read the response.
  void body?.ended.then(() => body.failure && abort.abort(body.failure.error));
  const request = body
    ? streamingRequest(url, init, body.stream)
    : new Request(url, { ...init, ...(text !== undefined && { body: text }) });
  receiveState(request, wire);
  receivedRequests.set(request, { port, abort, gone: new AbortController(), body });
  return request;
}

function sendResponse(response: Response): [WireResponse, Transferable[]] {
  const { status, statusText, headers, body } = response;
  const wire: WireResponse = { status, statusText, headers: [...headers] };
  const { request, watch = {}, whole } = linked.get(response) ?? {};
  const finish = (): void => {
    if (request) releaseReceived(request);
  };
  if (!body) {
    finish();
    watch.onSent?.();
    return [wire, []];
  }
  const { port1: local, port2: remote } = new MessageChannel();
  const state = request && stateOf(request);
  const received = request && receivedRequests.get(request);
  const onRead = (bytes: number): void => {
    if (!state) return;
    state.readBytes = (state.readBytes ?? 0) + bytes;
    state.onRead?.();
  };
  const ended = watch.onEnd ? watchEnd(local, received?.abort.signal, watch) : undefined;
  const send = async (): Promise<void> => {
    if (whole) local.start();
    // An error has already been sent to the receiver.
    else await sendBody(body, local, { gone: received?.gone.signal, onRead }).catch(() => {});
    watch.onSent?.();
    await ended;
    finish();
    local.close();
  };
  void send();
  wire.port = remote;
  if (!whole) return [wire, [remote]];
  wire.whole = whole;
  return [wire, [remote, whole.buffer]];
}

registerEnd("request", { deserialize: receiveRequest });
registerEnd("response", { serialize: sendResponse });
