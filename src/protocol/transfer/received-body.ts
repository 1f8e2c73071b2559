import type { BodyControl, BodyMessage } from "./body.ts";
import { type Bytes, type BytesController, byteStream } from "./byte-stream.ts";
import { fromWireError, textOf } from "./wire-error.ts";

/** Whatever can read a stream keeps this, as its source does. */
interface Reading {
  controller: BytesController;
}

/**
 * The receiving end of a body: a byte stream and its controls. Chunks wait outside the stream, which pulls only when it
 * is empty, so that each read is credited at once.
 */
export class ReceivedBody {
  /** Bodies whose streams can be read no more. */
  static readonly #unread = new FinalizationRegistry<ReceivedBody>((body) => body.#abandon());
  /** Settles once the sender has finished. */
  readonly received: Promise<void>;
  /** Settles once the stream was read to its end, failed or was cancelled; the port can then be closed. */
  readonly ended: Promise<void>;
  /** The error of the stream. */
  failure: { error: unknown } | undefined;
  readonly #port: MessagePort;
  readonly #reading: WeakRef<Reading>;
  /** The same, while a reader waits. */
  #waiting: Reading | undefined;
  #stream: ReadableStream<Bytes> | undefined;
  #settleReceived!: () => void;
  #settleEnded!: () => void;
  #arrived: Bytes[] = [];
  #servedBytes = 0;
  #creditedBytes = 0;
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
    const reading = {} as Reading;
    this.#reading = new WeakRef(reading);
    this.#stream = byteStream(
      (controller) => {
        reading.controller = controller;
      },
      () => this.#pull(reading),
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

  get stream(): ReadableStream<Bytes> {
    return this.#stream!;
  }

  /** Returns the stream, and no longer refers to it: if it is collected before its end, the sender stops. */
  handOver(): ReadableStream<Bytes> {
    const { stream } = this;
    ReceivedBody.#unread.register(this.#reading.deref()!, this);
    this.#stream = undefined;
    return stream;
  }

  /** Tells the sender that the caller got the response. */
  take(): void {
    this.#post({ type: "taken" });
  }

  /** Errors the stream unless it was read to its end, and tells the sender to stop. */
  fail(error: unknown): void {
    if (this.#isEnded) return;
    this.failure = { error };
    const reading = this.#reading.deref();
    this.#cancel(error);
    reading?.controller.error(error);
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
      if (this.#waiting) this.#serve(this.#waiting);
    } else if (data.type === "end") {
      this.#detach();
      this.#endIfEmpty();
    } else if (data.type === "error") this.fail(fromWireError(data.error));
  };

  /** Called when a reader waits and the stream's queue is empty. */
  #pull(reading: Reading): void {
    this.#credit(reading);
    this.#waiting = reading;
    this.#serve(reading);
  }

  #serve(reading: Reading): void {
    const bytes = this.#arrived.shift();
    if (!bytes) {
      this.#endIfEmpty();
      return;
    }
    this.#waiting = undefined;
    this.#servedBytes += bytes.byteLength;
    reading.controller.enqueue(bytes);
    this.#credit(reading);
  }

  #credit({ controller }: Reading): void {
    // The stream queues the rest of a chunk that exceeds a BYOB reader's buffer.
    const bytes = this.#servedBytes + controller.desiredSize! - this.#creditedBytes;
    if (bytes > 0) this.#post({ type: "credit", bytes });
    this.#creditedBytes += bytes;
  }

  /** Ends only after everything is read: until then it can still be aborted (Fetch, abort the fetch() call). */
  #endIfEmpty(): void {
    const controller = this.#reading.deref()?.controller;
    if (this.#arrived.length > 0 || controller?.desiredSize !== 0) return;
    if (this.#cut) this.fail(this.#cut.error);
    else if (this.#isComplete) this.#close(controller);
  }

  #close(controller: BytesController): void {
    this.#end({ type: "read" });
    try {
      controller.close();
      // After close(), a byte stream keeps a BYOB read pending until respond() is called.
      controller.byobRequest?.respond(0);
    } catch {
      // close() fails the read of a BYOB reader that holds part of a wider element.
    }
  }

  /** What has arrived as a whole counts as read, as when its page closes. */
  #abandon(): void {
    if (this.#isEnded) return;
    if (this.#isComplete) this.#end({ type: "read" });
    else this.#cancel("The response was not read.");
  }

  #cancel(reason: unknown): void {
    this.#end({ type: "cancel", reason: textOf(reason) });
  }

  #end(message: BodyControl): void {
    this.#post(message);
    this.#isEnded = true;
    this.#arrived = [];
    this.#waiting = undefined;
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
