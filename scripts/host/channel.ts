/** Host end of the channel: multiplexes requests and responses. */

import {
  decodeFrame,
  encodeFrame,
  type Failure,
  Frame,
  type FrameType,
  type PageReady,
  payloadJson,
  payloadText,
  type ReceivedFrame,
  type RequestHead,
  type ResponseHead,
} from "./frames.ts";

/** Callbacks of one request. Either `onEnd` or `onError` is called last, never both. */
interface ResponseHandlers {
  onHead(head: ResponseHead): void;
  onChunk(bytes: Uint8Array): void;
  onEnd(): void;
  onError(failure: Failure): void;
  /** The page has consumed this many bytes of the request body. */
  onCredit(bytes: number): void;
}

/** A request in flight. */
export interface Exchange {
  sendChunk(bytes: Uint8Array): void;
  endBody(): void;
  /** Reports response bytes sent to the client. */
  giveCredit(bytes: number): void;
  /** Aborts the request in the page; no further callback runs. */
  abort(): void;
}

/** Callbacks for messages about the page itself. */
interface PageHandlers {
  onReady(page: PageReady): void;
  onFailed(message: string): void;
  /** A runtime event, such as load progress or a lost engine. */
  onEvent(event: unknown): void;
}

const PAGE_LOST: Failure = { code: "bridge_page_lost", message: "The page with the runtime is gone." };

export class Channel {
  readonly #send: (bytes: Uint8Array) => void;
  readonly #page: PageHandlers;
  readonly #open = new Map<number, ResponseHandlers>();
  #lastId = 0;
  #lost = false;

  constructor(send: (bytes: Uint8Array) => void, page: PageHandlers) {
    this.#send = send;
    this.#page = page;
  }

  /** Sends one request to the page. */
  start(head: RequestHead, handlers: ResponseHandlers): Exchange {
    this.#lastId += 1;
    const id = this.#lastId;
    const send = (type: FrameType, payload?: unknown): void => {
      if (this.#open.has(id)) this.#send(encodeFrame(type, id, payload));
    };
    this.#open.set(id, handlers);
    if (this.#lost) queueMicrotask(() => this.#fail(id, PAGE_LOST));
    else send(Frame.request, head);
    return {
      sendChunk: (bytes) => send(Frame.chunk, bytes),
      endBody: () => send(Frame.end),
      giveCredit: (bytes) => send(Frame.credit, bytes),
      abort: () => {
        send(Frame.abort);
        this.#open.delete(id);
      },
    };
  }

  /** Handles a message of the page. */
  receive(bytes: Uint8Array<ArrayBuffer>): void {
    const frame = decodeFrame(bytes);
    if (frame.type === Frame.ready) this.#page.onReady(payloadJson(frame));
    else if (frame.type === Frame.failed) this.#page.onFailed(payloadText(frame));
    else if (frame.type === Frame.event) this.#page.onEvent(payloadJson(frame));
    else this.#deliver(frame);
  }

  /** Fails all requests in flight: the page is gone. */
  lose(): void {
    this.#lost = true;
    for (const id of [...this.#open.keys()]) this.#fail(id, PAGE_LOST);
  }

  #deliver(frame: ReceivedFrame): void {
    const handlers = this.#open.get(frame.id);
    // Ignore responses to aborted requests.
    if (!handlers) return;
    if (frame.type === Frame.response) handlers.onHead(payloadJson(frame));
    else if (frame.type === Frame.chunk) handlers.onChunk(frame.payload);
    else if (frame.type === Frame.credit) handlers.onCredit(payloadJson(frame));
    else if (frame.type === Frame.error) this.#fail(frame.id, payloadJson(frame));
    else if (frame.type === Frame.end) {
      this.#open.delete(frame.id);
      handlers.onEnd();
    }
  }

  #fail(id: number, failure: Failure): void {
    const handlers = this.#open.get(id);
    this.#open.delete(id);
    handlers?.onError(failure);
  }
}
