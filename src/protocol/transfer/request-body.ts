/**
 * Request bodies across browsers. Firefox has no `Request.body` and does not accept a stream as a body; WebKit cannot
 * read a form with files from a Request. Both can read Blobs, so a body that is not a stream is kept as a Blob, which
 * references its data and can be re-read on retry.
 */

import { kindOf } from "../../shared/kind-of.ts";
import { WINDOW_BYTES } from "./body.ts";
import { ownedStreams } from "./byte-stream.ts";
import { keepText, type RequestState, stateOf } from "./request-state.ts";

/** TypeScript's type lacks `duplex`. */
export type StreamInit = RequestInit & { duplex?: "half" };

/** Methods of a Request or Response that read its body; `bytes` is missing in older browsers. */
export const BODY_READERS = ["arrayBuffer", "blob", "bytes", "formData", "json", "text"] as const;

/** Slice size for reading a Blob. WebKit's own Blob stream buffers the whole Blob. */
const SLICE_BYTES = WINDOW_BYTES / 2;

/**
 * Like `new Request(input, init)`, but keeps the body in the request's state, so that every browser can send it.
 *
 * @throws {TypeError} as the constructor does
 */
export function buildRequest(input: RequestInfo | URL, init?: StreamInit): Request {
  const given: unknown = init?.body;
  const streams = kindOf(given) === "ReadableStream";
  if (streams && init!.duplex !== "half") throw new TypeError("A streamed body requires `duplex: 'half'`.");
  // Like Request, Response throws for a locked or used stream.
  const body = streams ? new Response(given as ReadableStream).body! : asBlob(given);
  const replaced = streams ? new Blob() : body;
  const get = (_: object, name: string) => (name === "body" ? replaced : Reflect.get(init!, name));
  // A proxy, because `init` may be a Request, whose properties are on its prototype.
  const request = new Request(input, body ? new Proxy({}, { get } as ProxyHandler<object>) : init);
  if (body) stateOf(request).body = body;
  else keepText(request, given);
  return keepBody(request);
}

/**
 * The body from its start; null if there is none or it is known as text.
 *
 * @throws {TypeError} if it can be read no more, as `fetch` does
 */
export function bodyOf(request: Request): ReadableStream<Uint8Array> | null {
  const { body } = stateOf(keepBody(request));
  if (isStream(body) && body.locked) throw new TypeError(USED);
  return body ? (isStream(body) ? body : streamOf(body)) : null;
}

/**
 * Keeps a copy of a one-shot body until the returned function is called with whether the request is retried.
 * Re-readable bodies are not held, because a stream costs a tee.
 */
export function holdBody(request: Request): (isSentAgain: boolean) => void {
  const state = stateOf(keepBody(request));
  if (!isStream(state.body)) return () => {};
  const [now, later] = state.body.tee();
  state.body = now;
  return (isSentAgain) => {
    if (isSentAgain) state.body = later;
    else later.cancel().catch(() => {});
  };
}

/** Cancels a body that was not sent. */
export function cancelBody(request: Request, reason: unknown): void {
  const { body } = stateOf(request);
  if (isStream(body) && !body.locked) body.cancel(reason).catch(() => {});
}

const USED = "The request's body has already been used.";

/**
 * Records the body of a request constructed elsewhere. Firefox does not expose it, so it is read as a Blob.
 *
 * @throws {TypeError} if something else has read it
 */
function keepBody(request: Request): Request {
  const state = stateOf(request);
  if (state.text !== undefined || state.body) return request;
  if (request.bodyUsed) throw new TypeError(USED);
  if ("body" in request) {
    if (request.body) state.body = request.body;
  } else if (!/^(GET|HEAD)$/.test((request as Request).method)) {
    state.body = (request as Request).blob();
    state.body.catch(() => {});
  }
  return request;
}

function isStream(body: RequestState["body"]): body is ReadableStream<Uint8Array> {
  return kindOf(body) === "ReadableStream";
}

function streamOf(blob: Blob | Promise<Blob>): ReadableStream<Uint8Array> {
  let at = 0;
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const bytes = await (await blob).slice(at, at + SLICE_BYTES).arrayBuffer();
        at += bytes.byteLength;
        if (bytes.byteLength > 0) controller.enqueue(new Uint8Array(bytes));
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  ownedStreams.add(stream);
  return stream;
}

function asBlob(body: unknown): Blob | undefined {
  const kind = kindOf(body);
  if (kind === "Blob" || kind === "File") return body as Blob;
  if (kind === "FormData") return formBlob(body as FormData);
  if (kind === "ArrayBuffer" || ArrayBuffer.isView(body)) return new Blob([body as BlobPart]);
  return undefined;
}

/** https://html.spec.whatwg.org/#multipart-form-data. The boundary is lowercase because a Blob's type always is. */
function formBlob(form: FormData): Blob {
  const boundary = `infetch-${crypto.randomUUID()}`;
  const parts: BlobPart[] = [];
  for (const [name, value] of form) {
    const header = `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(withBreaks(name))}"`;
    if (typeof value === "string") parts.push(`${header}\r\n\r\n${withBreaks(value)}\r\n`);
    else {
      const type = value.type || "application/octet-stream";
      parts.push(
        `${header}; filename="${escaped(value.name)}"\r\nContent-Type: ${type}\r\n\r\n`,
        value,
        "\r\n",
      );
    }
  }
  return new Blob([...parts, `--${boundary}--\r\n`], { type: `multipart/form-data; boundary=${boundary}` });
}

function withBreaks(text: string): string {
  return text.replace(/\r\n?|\n/g, "\r\n");
}

function escaped(text: string): string {
  return text.replace(/["\r\n]/g, encodeURIComponent);
}
