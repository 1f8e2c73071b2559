/** Client end: sends requests and receives responses. */

import { sendBody } from "./body.ts";
import { ReceivedBody } from "./received-body.ts";
import { bodyOf } from "./request-body.ts";
import { requestIdOf, stateOf } from "./request-state.ts";
import { type AbortMessage, registerEnd, type WireRequest, type WireResponse } from "./transfer-wire.ts";
import { textOf } from "./wire-error.ts";

/** A request in flight. */
interface SentRequest {
  /** Rejects if the request body fails; otherwise stays pending. Absent for a request without a streamed body. */
  bodyFailed: Promise<never> | undefined;
  /** Stops sending and releases signal and port. Otherwise the last byte of the response does so. */
  release(reason?: unknown): void;
}

const sentRequests = new WeakMap<Request, SentRequest>();
const receivedBodies = new WeakMap<Response, ReceivedBody>();

/** State of a request sent to a remote end. */
export function sentRequestOf(request: Request): SentRequest | undefined {
  return sentRequests.get(request);
}

/** The receiver of the body of a response that came over a port. */
export function receivedBodyOf(response: Response): ReceivedBody | undefined {
  return receivedBodies.get(response);
}

/** @throws {TypeError} for a used body: the server would wait for it */
function sendRequest(request: Request): [WireRequest, Transferable[]] {
  const stream = bodyOf(request);
  const { port1: local, port2: remote } = new MessageChannel();
  const sending = new AbortController();
  const release = forwardAbort(request.signal, local, sending);
  const bodyFailed = stream ? sendRequestBody(request, stream, local, sending.signal) : undefined;
  sentRequests.set(request, { bodyFailed, release });
  const { attempt, text } = stateOf(request);
  const wire: WireRequest = {
    id: requestIdOf(request),
    attempt,
    url: request.url,
    method: request.method,
    headers: [...request.headers],
    hasBody: stream !== null,
    text,
    port: remote,
  };
  return [wire, [remote]];
}

/** Forwards an abort of the request until the server is done with it, or the returned function is called. */
function forwardAbort(
  signal: AbortSignal,
  port: MessagePort,
  sending: AbortController,
): SentRequest["release"] {
  const onAbort = (): void => {
    port.postMessage({ type: "abort", reason: textOf(signal.reason) } satisfies AbortMessage);
    sending.abort(signal.reason);
  };
  const release = (reason?: unknown): void => {
    signal.removeEventListener("abort", onAbort);
    sending.abort(reason);
    port.close();
  };
  port.addEventListener("message", ({ data }) => {
    if (data.type === "done") release();
  });
  port.start();
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort);
  return release;
}

function sendRequestBody(
  request: Request,
  stream: ReadableStream<Uint8Array>,
  port: MessagePort,
  signal: AbortSignal,
): Promise<never> {
  const failed = new Promise<never>((_, reject) => {
    sendBody(stream, port, { signal }).catch((cause) => {
      if (signal.aborted) return;
      // WebKit reads no form with files from a Request (decision 143).
      const isForm = request.headers.get("content-type")?.startsWith("multipart/");
      const advice = isForm ? " Pass the form to `fetch`, not in a Request." : "";
      // As in native fetch: the body stream's error becomes the cause of a TypeError.
      reject(new TypeError(`Reading the request body failed.${advice}`, { cause }));
    });
  });
  failed.catch(() => {});
  return failed;
}

function receiveResponse({ port, whole, ...init }: WireResponse): Response {
  const body = port && new ReceivedBody(port, whole);
  const response = new Response(body?.handOver() ?? null, init);
  if (body) {
    receivedBodies.set(response, body);
    void body.ended.then(() => port.close());
  }
  return response;
}

registerEnd("request", { serialize: sendRequest });
registerEnd("response", { deserialize: receiveResponse });
