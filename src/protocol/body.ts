/**
 * Bodies over a MessagePort, pulled with credit: the sender may have `WINDOW_BYTES` under way and sends more
 * when the receiver has read. Safari cannot transfer a ReadableStream (PowerSync and scramjet met the same),
 * and a transferred stream gives no way to tell a dead peer from a slow one.
 */

import type { WireError } from "./wire.ts";

/** Bytes that may be on their way before the receiver has read any of them. */
export const WINDOW_BYTES = 256 * 1024;

/** Below this a copy is cheaper than a transfer. */
const TRANSFER_FROM_BYTES = 16 * 1024;

export type BodyMessage =
  | { type: "chunk"; bytes: Uint8Array<ArrayBuffer> }
  | { type: "end" }
  | { type: "error"; error: WireError };

export type BodyControl = { type: "credit"; bytes: number } | { type: "cancel"; reason: string };

export function toWireError(error: unknown): WireError {
  const source = error as Partial<WireError> | null;
  return {
    name: typeof source?.name === "string" ? source.name : "Error",
    message: typeof source?.message === "string" ? source.message : String(error),
    code: typeof source?.code === "string" ? source.code : "body_failed",
  };
}

export function fromWireError(wire: WireError): Error & { code: string } {
  const error = new Error(wire.message) as Error & { code: string };
  error.name = wire.name;
  error.code = wire.code;
  return error;
}

/**
 * Pumps `stream` into `port`. Resolves when the last message is posted or the receiver cancelled; never
 * rejects, an error of the stream goes to the receiver.
 */
export async function sendBody(stream: ReadableStream<Uint8Array>, port: MessagePort): Promise<void> {
  const reader = stream.getReader();
  let credit = WINDOW_BYTES;
  let cancelled = false;
  let wake = (): void => {};
  port.addEventListener("message", ({ data }: MessageEvent<BodyControl>) => {
    if (data.type === "credit") {
      credit += data.bytes;
      wake();
    } else if (data.type === "cancel") {
      cancelled = true;
      wake();
      reader.cancel(data.reason).catch(() => {});
    }
  });
  port.start();
  const post = (message: BodyMessage, transfer: Transferable[] = []) => port.postMessage(message, transfer);
  try {
    while (true) {
      while (credit <= 0 && !cancelled) {
        await new Promise<void>((resume) => {
          wake = resume;
        });
      }
      if (cancelled) return;
      const { done, value } = await reader.read();
      if (done) break;
      credit -= value.byteLength;
      const whole = value.byteLength === value.buffer.byteLength && value.byteLength >= TRANSFER_FROM_BYTES;
      const bytes = value as Uint8Array<ArrayBuffer>;
      post({ type: "chunk", bytes }, whole ? [bytes.buffer] : []);
    }
    post({ type: "end" });
  } catch (error) {
    post({ type: "error", error: toWireError(error) });
  }
}

/** The receiving end of a body: a byte stream, and the two ways in which its owner can end it. */
export interface ReceivedBody {
  stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Ends the stream with an error and tells the sender to stop. */
  fail(error: unknown): void;
  /** Settles once the stream ended, failed or was cancelled. */
  ended: Promise<void>;
}

export function receiveBody(port: MessagePort): ReceivedBody {
  let controller!: ReadableByteStreamController;
  let unacknowledged = 0;
  let open = true;
  let settle!: () => void;
  const ended = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const finish = (): void => {
    open = false;
    settle();
  };
  const control = (message: BodyControl): void => port.postMessage(message);
  const stream = new ReadableStream({
    type: "bytes",
    start(created) {
      controller = created;
    },
    pull() {
      if (unacknowledged === 0) return;
      control({ type: "credit", bytes: unacknowledged });
      unacknowledged = 0;
    },
    cancel(reason) {
      control({ type: "cancel", reason: String(reason) });
      finish();
    },
  }) as ReadableStream<Uint8Array<ArrayBuffer>>;
  const fail = (error: unknown): void => {
    if (!open) return;
    control({ type: "cancel", reason: String(error) });
    controller.error(error);
    finish();
  };
  port.addEventListener("message", ({ data }: MessageEvent<BodyMessage>) => {
    if (!open) return;
    if (data.type === "chunk") {
      if (data.bytes.byteLength === 0) return;
      unacknowledged += data.bytes.byteLength;
      controller.enqueue(data.bytes);
    } else if (data.type === "end") {
      controller.close();
      // A byte stream keeps a pending BYOB read waiting after close() until it is answered.
      controller.byobRequest?.respond(0);
      finish();
    } else if (data.type === "error") {
      controller.error(fromWireError(data.error));
      finish();
    }
  });
  port.start();
  return { stream, fail, ended };
}
