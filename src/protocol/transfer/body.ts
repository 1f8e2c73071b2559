/**
 * Bodies over a MessagePort with credit-based flow control: the sender may have `WINDOW_BYTES` in flight and sends
 * more as the receiver reads. Safari cannot transfer a ReadableStream (also reported by PowerSync and scramjet), and
 * a transferred stream cannot distinguish a dead peer from a slow one.
 */

import { kindOf } from "../../shared/kind-of.ts";
import type { WireError } from "../result.ts";
import { ownedStreams } from "./byte-stream.ts";
import { toWireError } from "./wire-error.ts";

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
 * of the body, `cancel` when it needs no more.
 */
export type BodyControl =
  | { type: "credit"; bytes: number }
  | { type: "taken" }
  | { type: "read" }
  | { type: "cancel"; reason: string };

interface SendOptions {
  /** Aborts the pump: the stream is cancelled with the signal's reason, and the receiver gets an error. */
  signal?: AbortSignal | undefined;
  /** Aborts when the receiver will read no more: a stream that does not end within its credit is cancelled. */
  gone?: AbortSignal | undefined;
  /** Called with the number of bytes that the receiver's reader has just taken. */
  onRead?: (bytes: number) => void;
}

/**
 * Pumps `stream` into `port`. Resolves when the last byte is posted or the receiver cancels; the caller closes the
 * port. Chunks are copied, since they are the stream creator's; those of `ownedStreams` are transferred.
 *
 * @throws the stream's error, a TypeError for a chunk that is not a Uint8Array, or the signal's reason; the receiver
 *   gets the same error
 */
export async function sendBody(
  stream: ReadableStream<Uint8Array>,
  port: MessagePort,
  { signal, gone, onRead = () => {} }: SendOptions = {},
): Promise<void> {
  const isOwned = ownedStreams.has(stream);
  const reader = stream.getReader();
  const onSpent = (): void => {
    if (gone?.aborted) stop(gone.reason);
  };
  const flow: Flow = { credit: WINDOW_BYTES, isStopped: false, wake: () => {}, onSpent };
  const onGone = (): void => flow.wake();
  const stop = (reason: unknown): void => {
    flow.isStopped = true;
    flow.wake();
    reader.cancel(reason).catch(() => {});
  };
  const onControl = ({ data }: MessageEvent<BodyControl>): void => {
    if (data.type === "credit") {
      flow.credit += data.bytes;
      onRead(data.bytes);
      flow.wake();
    } else if (data.type === "cancel") stop(data.reason);
  };
  const onAbort = (): void => stop(signal?.reason);
  const post: Post = (message, transfer = []) => port.postMessage(message, transfer);
  port.addEventListener("message", onControl as EventListener);
  port.start();
  if (signal?.aborted) onAbort();
  else signal?.addEventListener("abort", onAbort, { once: true });
  gone?.addEventListener("abort", onGone, { once: true });
  try {
    while (!flow.isStopped) {
      const { done, value } = await reader.read();
      if (done) break;
      if (!isBytes(value)) throw new TypeError("Body chunks must be Uint8Array.");
      await sendChunk(value, isOwned, flow, post);
    }
    signal?.throwIfAborted();
    if (!flow.isStopped) post({ type: "end" });
  } catch (error) {
    post({ type: "error", error: toWireError(error) });
    reader.cancel(error).catch(() => {});
    throw error;
  } finally {
    signal?.removeEventListener("abort", onAbort);
    gone?.removeEventListener("abort", onGone);
    port.removeEventListener("message", onControl as EventListener);
  }
}

type Post = (message: BodyMessage, transfer?: Transferable[]) => void;

/** State of the flow control. */
interface Flow {
  /** Bytes that the receiver still takes. */
  credit: number;
  /** The receiver needs no more, or the sender was aborted. */
  isStopped: boolean;
  /** Called on each change. */
  wake: () => void;
  /** Called when the credit does not suffice. */
  onSpent: () => void;
}

/** Sends a chunk, in pieces unless it is owned, as the receiver takes them. */
async function sendChunk(
  chunk: Uint8Array<ArrayBuffer>,
  isOwned: boolean,
  flow: Flow,
  post: Post,
): Promise<void> {
  for (let at = 0; at < chunk.byteLength && !flow.isStopped; ) {
    // Wait for enough credit: sending tiny pieces would make all later ones tiny too.
    const least = isOwned ? chunk.byteLength : Math.min(chunk.byteLength - at, MIN_BYTES);
    if (flow.credit < least) {
      const changed = new Promise<void>((resume) => {
        flow.wake = resume;
      });
      flow.onSpent();
      await changed;
      continue;
    }
    const bytes = isOwned ? chunk : new Uint8Array(chunk.subarray(at, at + flow.credit));
    flow.credit -= bytes.byteLength;
    at += bytes.byteLength;
    post({ type: "chunk", bytes }, [bytes.buffer]);
  }
}

function isBytes(value: unknown): value is Uint8Array<ArrayBuffer> {
  return kindOf(value) === "Uint8Array";
}
