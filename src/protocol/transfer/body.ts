/**
 * Bodies over a MessagePort with credit-based flow control: the sender may have `WINDOW_BYTES` in flight and sends
 * more as the receiver reads. Safari cannot transfer a ReadableStream (also reported by PowerSync and scramjet), and
 * a transferred stream cannot distinguish a dead peer from a slow one.
 */

import { kindOf } from "../../shared/kind-of.ts";
import type { WireError } from "../rpc/result.ts";
import { type Bytes, ownedStreams } from "./byte-stream.ts";
import { toWireError } from "./wire-error.ts";

/** Maximum bytes in flight that the receiver has not read. */
export const WINDOW_BYTES = 256 * 1024;

/** Minimum chunk size while more data is available: small messages cost as much as large ones. */
const MIN_BYTES = WINDOW_BYTES / 8;

export type BodyMessage =
  | { type: "chunk"; bytes: Bytes }
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
  options: SendOptions = {},
): Promise<void> {
  await new BodySender(stream, port, options).send();
}

class BodySender {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #isOwned: boolean;
  readonly #port: MessagePort;
  readonly #options: SendOptions;
  /** Bytes that may still be sent. */
  #credit = WINDOW_BYTES;
  /** The receiver needs no more, or the sender was aborted. */
  #isStopped = false;
  /** Resumes a chunk that waits for credit. */
  #wake = (): void => {};

  constructor(stream: ReadableStream<Uint8Array>, port: MessagePort, options: SendOptions) {
    this.#reader = stream.getReader();
    this.#isOwned = ownedStreams.has(stream);
    this.#port = port;
    this.#options = options;
  }

  async send(): Promise<void> {
    const listening = new AbortController();
    this.#listen(listening.signal);
    try {
      while (!this.#isStopped) {
        const { done, value } = await this.#reader.read();
        if (done) break;
        if (!isBytes(value)) throw new TypeError("Body chunks must be Uint8Array.");
        await this.#sendChunk(value);
      }
      this.#options.signal?.throwIfAborted();
      if (!this.#isStopped) this.#post({ type: "end" });
    } catch (error) {
      this.#post({ type: "error", error: toWireError(error) });
      this.#reader.cancel(error).catch(() => {});
      throw error;
    } finally {
      listening.abort();
    }
  }

  #listen(until: AbortSignal): void {
    const { signal, gone } = this.#options;
    const onMessage = ({ data }: MessageEvent<BodyControl>): void => this.#onControl(data);
    this.#port.addEventListener("message", onMessage, { signal: until });
    this.#port.start();
    if (signal?.aborted) this.#stop(signal.reason);
    else signal?.addEventListener("abort", () => this.#stop(signal.reason), { signal: until });
    gone?.addEventListener("abort", () => this.#wake(), { signal: until });
  }

  #onControl(control: BodyControl): void {
    if (control.type === "credit") {
      this.#credit += control.bytes;
      this.#options.onRead?.(control.bytes);
      this.#wake();
    } else if (control.type === "cancel") this.#stop(control.reason);
  }

  #stop(reason: unknown): void {
    this.#isStopped = true;
    this.#wake();
    this.#reader.cancel(reason).catch(() => {});
  }

  /** Sends a chunk, in pieces unless it is owned, as credit allows. */
  async #sendChunk(chunk: Bytes): Promise<void> {
    for (let at = 0; at < chunk.byteLength && !this.#isStopped; ) {
      // Wait for enough credit: sending tiny pieces would make all later ones tiny too.
      const least = this.#isOwned ? chunk.byteLength : Math.min(chunk.byteLength - at, MIN_BYTES);
      if (this.#credit < least) {
        await this.#moreCredit();
        continue;
      }
      const bytes = this.#isOwned ? chunk : new Uint8Array(chunk.subarray(at, at + this.#credit));
      this.#credit -= bytes.byteLength;
      at += bytes.byteLength;
      this.#post({ type: "chunk", bytes }, bytes.buffer);
    }
  }

  /** Resolves on more credit or a stop; a receiver that is gone sends no more credit. */
  async #moreCredit(): Promise<void> {
    const { gone } = this.#options;
    if (gone?.aborted) return this.#stop(gone.reason);
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }

  #post(message: BodyMessage, ...transfer: Transferable[]): void {
    this.#port.postMessage(message, transfer);
  }
}

function isBytes(value: unknown): value is Bytes {
  return kindOf(value) === "Uint8Array";
}
