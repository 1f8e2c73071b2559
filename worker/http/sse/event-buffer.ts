import { concatBytes } from "../body/concat-bytes.ts";

/** OpenAI's SDK copies the rest of a chunk for each event in it, which is slow for large chunks. */
const PIECE_BYTES = 8_192;

/** Between two chunks, unless the next one is full. Less than the time per token of current engines. */
const PAUSE_MS = 1;

/**
 * Encoded events that wait for their reader, grouped in pieces of one message each.
 *
 * An event can be taken at once if none was in the last millisecond; otherwise, events are coalesced until then.
 * Current engines are slower than that, so tokens are not delayed; but waiting events are sent in a few large
 * messages, as posting a message costs both threads more than generating an event (docs/benchmarks.md, c).
 */
export class EventBuffer {
  readonly #pieces: Uint8Array[][] = [];
  #lastBytes = 0;
  #takenAtMs = Number.NEGATIVE_INFINITY;
  #hasEnded = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wake = (): void => {};

  /** Whether nothing is left and nothing more comes. */
  get isDone(): boolean {
    return this.#hasEnded && this.#pieces.length === 0;
  }

  add(event: Uint8Array): void {
    this.#lastBytes += event.byteLength;
    if (this.#pieces.length > 0 && this.#lastBytes <= PIECE_BYTES) this.#pieces.at(-1)!.push(event);
    else {
      this.#lastBytes = event.byteLength;
      this.#pieces.push([event]);
    }
    this.#announce();
  }

  /** No event comes after this. */
  end(): void {
    this.#hasEnded = true;
    this.#announce();
  }

  /** Discards what waits. */
  clear(): void {
    this.#pieces.length = 0;
    clearTimeout(this.#timer);
  }

  /** Waits for the next piece; undefined at the end. */
  async take(): Promise<Uint8Array | undefined> {
    while (!this.#isReady) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        this.#announce();
      });
    }
    const piece = this.#pieces.shift();
    this.#takenAtMs = performance.now();
    return piece && concatBytes(piece);
  }

  get #isReady(): boolean {
    if (this.#hasEnded || this.#pieces.length > 1) return true;
    return this.#pieces.length === 1 && performance.now() - this.#takenAtMs >= PAUSE_MS;
  }

  /** Wakes a pending `take` now, or at the end of the pause. */
  #announce(): void {
    if (this.#isReady) this.#wake();
    else if (this.#pieces.length > 0) this.#timer ??= setTimeout(() => this.#endPause(), PAUSE_MS);
  }

  #endPause(): void {
    this.#timer = undefined;
    this.#takenAtMs = Number.NEGATIVE_INFINITY;
    this.#wake();
  }
}
