/**
 * Bodies over a MessagePort with credit-based flow control: the sender may have `WINDOW_BYTES` in flight and sends
 * more as the receiver reads. Safari cannot transfer a ReadableStream (also reported by PowerSync and scramjet), and
 * a transferred stream cannot distinguish a dead peer from a slow one.
 */

import { type BytesController, byteStream, ownedStreams } from "./byte-stream.ts";
import type { WireError } from "./wire.ts";
import { fromWireError, textOf, toWireError } from "./wire-error.ts";

/** Maximum bytes in flight that the receiver has not read. */
export const WINDOW_BYTES = 256 * 1024;

/** Minimum chunk size while more data is available: small messages cost as much as large ones. */
const MIN_BYTES = WINDOW_BYTES / 8;

export type BodyMessage =
  | { type: "chunk"; bytes: Uint8Array<ArrayBuffer> }
  | { type: "end" }
  | { type: "error"; error: WireError };

/**
 * Receiver messages: `credit` when its reader took bytes, `taken` when the caller got the response, `read` at the end
 * of the body, `cancel` when it wants no more.
 */
export type BodyControl =
  | { type: "credit"; bytes: number }
  | { type: "taken" }
  | { type: "read" }
  | { type: "cancel"; reason: string };

/**
 * Pumps `stream` into `port`. Resolves when the last byte is posted or the receiver cancels; the caller closes the
 * port. Chunks are copied, since they are the stream creator's; those of `ownedStreams` are transferred.
 *
 * @param signal aborts the pump: the stream is cancelled with the signal's reason, and the receiver gets an error
 * @param onRead called with the number of bytes that the receiver's reader has just taken
 * @throws the stream's error, a TypeError for a chunk that is not a Uint8Array, or the signal's reason; the receiver
 *   gets the same error
 */
export async function sendBody(
  stream: ReadableStream<Uint8Array>,
  port: MessagePort,
  signal?: AbortSignal,
  onRead: (bytes: number) => void = () => {},
): Promise<void> {
  const isOwned = ownedStreams.has(stream);
  const reader = stream.getReader();
  let credit = WINDOW_BYTES;
  let stopped = false;
  let wake = (): void => {};
  const stop = (reason: unknown): void => {
    stopped = true;
    wake();
    reader.cancel(reason).catch(() => {});
  };
  const onControl = ({ data }: MessageEvent<BodyControl>): void => {
    if (data.type === "credit") {
      credit += data.bytes;
      onRead(data.bytes);
      wake();
    } else if (data.type === "cancel") stop(data.reason);
  };
  const onAbort = (): void => stop(signal?.reason);
  const post = (message: BodyMessage, transfer: Transferable[] = []) => port.postMessage(message, transfer);
  port.addEventListener("message", onControl as EventListener);
  port.start();
  if (signal?.aborted) onAbort();
  else signal?.addEventListener("abort", onAbort, { once: true });
  try {
    while (!stopped) {
      const { done, value } = await reader.read();
      if (done) break;
      if (!isBytes(value)) throw new TypeError("Body chunks must be Uint8Array.");
      for (let at = 0; at < value.byteLength && !stopped; ) {
        // Wait for enough credit: sending tiny chunks would make all later ones tiny too.
        if (credit < (isOwned ? value.byteLength : Math.min(value.byteLength - at, MIN_BYTES))) {
          await new Promise<void>((resume) => {
            wake = resume;
          });
          continue;
        }
        const bytes = isOwned ? value : new Uint8Array(value.subarray(at, at + credit));
        credit -= bytes.byteLength;
        at += bytes.byteLength;
        post({ type: "chunk", bytes }, [bytes.buffer]);
      }
    }
    signal?.throwIfAborted();
    if (!stopped) post({ type: "end" });
  } catch (error) {
    post({ type: "error", error: toWireError(error) });
    reader.cancel(error).catch(() => {});
    throw error;
  } finally {
    signal?.removeEventListener("abort", onAbort);
    port.removeEventListener("message", onControl as EventListener);
  }
}

/** Also true for a Uint8Array of another realm, such as a frame's stream. */
function isBytes(value: unknown): value is Uint8Array<ArrayBuffer> {
  return Object.prototype.toString.call(value) === "[object Uint8Array]";
}

/** The receiving end of a body: a byte stream and its controls. */
export interface ReceivedBody {
  stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Tells the sender that the caller got the response. */
  take(): void;
  /** Errors the stream unless it was read to its end, and tells the sender to stop. */
  fail(error: unknown): void;
  /** Errors the stream after the chunks that have arrived; for a dead sender. */
  cutOff(error: unknown): void;
  /** The error of the stream. */
  failure?: { error: unknown };
  /** Settles once the sender has finished. */
  received: Promise<void>;
  /** Settles once the stream was read to its end, failed or was cancelled; the port can then be closed. */
  ended: Promise<void>;
}

/** Buffers chunks outside the stream, which pulls only when it is empty, so that each read is credited at once. */
export function receiveBody(port: MessagePort): ReceivedBody {
  let controller!: BytesController;
  let arrived: Uint8Array<ArrayBuffer>[] = [];
  let servedBytes = 0;
  let creditedBytes = 0;
  let isWanted = false;
  let isComplete = false;
  let isEnded = false;
  let cut: { error: unknown } | undefined;
  const [received, settleReceived] = signalled();
  const [ended, settleEnded] = signalled();
  const control = (message: BodyControl): void => {
    if (!isEnded) port.postMessage(message);
  };
  const credit = (): void => {
    // The stream queues the rest of a chunk that exceeds a BYOB reader's buffer.
    const bytes = servedBytes + controller.desiredSize! - creditedBytes;
    if (bytes > 0) control({ type: "credit", bytes });
    creditedBytes += bytes;
  };
  const detach = (): void => {
    isComplete = true;
    port.removeEventListener("message", onMessage as EventListener);
    settleReceived();
  };
  const settle = (message: BodyControl): void => {
    control(message);
    isEnded = true;
    arrived = [];
    if (!isComplete) detach();
    settleEnded();
  };
  const close = (): void => {
    settle({ type: "read" });
    try {
      controller.close();
      // After close(), a byte stream keeps a BYOB read pending until respond() is called.
      controller.byobRequest?.respond(0);
    } catch {
      // close() fails the read of a BYOB reader that holds part of a wider element.
    }
  };
  const cancel = (reason: unknown): void => settle({ type: "cancel", reason: textOf(reason) });
  const fail = (error: unknown): void => {
    if (isEnded) return;
    body.failure = { error };
    cancel(error);
    controller.error(error);
  };
  /** Ends only after everything is read: until then it can still be aborted (Fetch, abort the fetch() call). */
  const endIfEmpty = (): void => {
    if (arrived.length > 0 || controller.desiredSize !== 0) return;
    if (cut) fail(cut.error);
    else if (isComplete) close();
  };
  const serve = (): void => {
    const bytes = arrived.shift();
    if (!bytes) {
      endIfEmpty();
      return;
    }
    isWanted = false;
    servedBytes += bytes.byteLength;
    controller.enqueue(bytes);
    credit();
  };
  const onMessage = ({ data }: MessageEvent<BodyMessage>): void => {
    if (data.type === "chunk") {
      arrived.push(data.bytes);
      if (isWanted) serve();
    } else if (data.type === "end") {
      detach();
      endIfEmpty();
    } else if (data.type === "error") fail(fromWireError(data.error));
  };
  const stream = byteStream(
    (created) => {
      controller = created;
    },
    // Called when a reader waits and the queue is empty.
    () => {
      credit();
      isWanted = true;
      serve();
    },
    cancel,
  );
  port.addEventListener("message", onMessage as EventListener);
  port.start();
  const body: ReceivedBody = {
    stream,
    take: () => control({ type: "taken" }),
    fail,
    cutOff(error) {
      if (isComplete) return;
      detach();
      cut = { error };
      endIfEmpty();
    },
    received,
    ended,
  };
  return body;
}

function signalled(): [promise: Promise<void>, settle: () => void] {
  let settle!: () => void;
  const promise = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return [promise, settle];
}
