import type { BodyControl, BodyMessage } from "./body.ts";
import { type Bytes, type BytesController, byteStream } from "./byte-stream.ts";
import { fromWireError, textOf } from "./wire-error.ts";

/**
 * The receiving end of a body: a byte stream and its controls. Chunks wait outside the stream, which pulls only when it
 * is empty, so that each read is credited at once.
 */
export class ReceivedBody {
  readonly stream: ReadableStream<Bytes>;
  /** Settles once the sender has finished. */
  readonly received: Promise<void>;
  /** Settles once the stream was read to its end, failed or was cancelled; the port can then be closed. */
  readonly ended: Promise<void>;
  /** The error of the stream. */
  failure: { error: unknown } | undefined;
  readonly #port: MessagePort;
  #controller!: BytesController;
  #settleReceived!: () => void;
  #settleEnded!: () => void;
  #arrived: Bytes[] = [];
  #servedBytes = 0;
  #creditedBytes = 0;
  /** A reader waits. */
  #isWanted = false;
  /** The sender has finished, or is dead. */
  #isComplete = false;
  #isEnded = false;
  /** The error that follows the chunks that have arrived. */
  #cut: { error: unknown } | undefined;

  /**
   * Starts to receive the body that `sendBody` sends at the other end of the port.
   *
   * @param whole the body, if it has arrived with its response; the port is then for its controls only
   */
  constructor(port: MessagePort, whole?: Bytes) {
    this.#port = port;
    this.received = new Promise((resolve) => {
      this.#settleReceived = resolve;
    });
    this.ended = new Promise((resolve) => {
      this.#settleEnded = resolve;
    });
    this.stream = byteStream(
      (controller) => {
        this.#controller = controller;
      },
      () => this.#pull(),
      (reason) => this.#cancel(reason),
    );
    if (whole) {
      this.#arrived = [whole];
      this.#detach();
      return;
    }
    port.addEventListener("message", this.#onMessage as EventListener);
    port.start();
  }

  /** Tells the sender that the caller got the response. */
  take(): void {
    this.#post({ type: "taken" });
  }

  /** Errors the stream unless it was read to its end, and tells the sender to stop. */
  fail(error: unknown): void {
    if (this.#isEnded) return;
    this.failure = { error };
    this.#cancel(error);
    this.#controller.error(error);
  }

  /** Errors the stream after the chunks that have arrived; for a dead sender. */
  cutOff(error: unknown): void {
    if (this.#isComplete) return;
    this.#detach();
    this.#cut = { error };
    this.#endIfEmpty();
  }

  readonly #onMessage = ({ data }: MessageEvent<BodyMessage>): void => {
    if (data.type === "chunk") {
      this.#arrived.push(data.bytes);
      if (this.#isWanted) this.#serve();
    } else if (data.type === "end") {
      this.#detach();
      this.#endIfEmpty();
    } else if (data.type === "error") this.fail(fromWireError(data.error));
  };

  /** Called when a reader waits and the stream's queue is empty. */
  #pull(): void {
    this.#credit();
    this.#isWanted = true;
    this.#serve();
  }

  #serve(): void {
    const bytes = this.#arrived.shift();
    if (!bytes) {
      this.#endIfEmpty();
      return;
    }
    this.#isWanted = false;
    this.#servedBytes += bytes.byteLength;
    this.#controller.enqueue(bytes);
    this.#credit();
  }

  #credit(): void {
    // The stream queues the rest of a chunk that exceeds a BYOB reader's buffer.
    const bytes = this.#servedBytes + this.#controller.desiredSize! - this.#creditedBytes;
    if (bytes > 0) this.#post({ type: "credit", bytes });
    this.#creditedBytes += bytes;
  }

  /** Ends only after everything is read: until then it can still be aborted (Fetch, abort the fetch() call). */
  #endIfEmpty(): void {
    if (this.#arrived.length > 0 || this.#controller.desiredSize !== 0) return;
    if (this.#cut) this.fail(this.#cut.error);
    else if (this.#isComplete) this.#close();
  }

  #close(): void {
    this.#end({ type: "read" });
    try {
      this.#controller.close();
      // After close(), a byte stream keeps a BYOB read pending until respond() is called.
      this.#controller.byobRequest?.respond(0);
    } catch {
      // close() fails the read of a BYOB reader that holds part of a wider element.
    }
  }

  #cancel(reason: unknown): void {
    this.#end({ type: "cancel", reason: textOf(reason) });
  }

  #end(message: BodyControl): void {
    this.#post(message);
    this.#isEnded = true;
    this.#arrived = [];
    if (!this.#isComplete) this.#detach();
    this.#settleEnded();
  }

  #detach(): void {
    this.#isComplete = true;
    this.#port.removeEventListener("message", this.#onMessage as EventListener);
    this.#settleReceived();
  }

  #post(message: BodyControl): void {
    if (!this.#isEnded) this.#port.postMessage(message);
  }
}
