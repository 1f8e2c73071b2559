/** Meters a stream by how much of it the client has read (docs/decisions/125). */

import { messagesHandled } from "../../../src/protocol/liveness/liveness.ts";
import type { RequestState } from "../../../src/protocol/transfer/request-state.ts";
import { NO_TOKENS, type RequestMeter, type TokenCounts } from "../../usage/metering/meter.ts";
import { ReadCounts } from "./read-counts.ts";

export class Delivery {
  readonly #state: RequestState;
  readonly #meter: RequestMeter;
  readonly #signal: AbortSignal;
  readonly #counts: ReadCounts;
  #sent = NO_TOKENS;
  #settled: Promise<void> | undefined;

  /** @param signal aborts when the client disconnects */
  constructor(state: RequestState, meter: RequestMeter, signal: AbortSignal) {
    this.#state = state;
    this.#meter = meter;
    this.#signal = signal;
    this.#counts = new ReadCounts(state);
    state.onRead = () => this.#checkpoint();
  }

  /** Counts a chunk of the body and returns it. */
  sent(piece: Uint8Array): Uint8Array {
    return this.#counts.sent(piece);
  }

  /** Records the token counts of all chunks so far. */
  after(counts: TokenCounts): void {
    this.#sent = counts;
    this.#counts.after(counts);
    this.#checkpoint();
  }

  /**
   * Settles the stream once the client has read everything sent so far; call it before the last chunk is sent. If the
   * client disconnects first, records what it had read.
   *
   * @param counts final token counts, if they differ from the last ones recorded
   */
  async end(outcome: "completed" | "failed", counts = this.#sent): Promise<void> {
    await this.untilRead();
    if (this.#counts.unreadBytes === 0) await this.#settle(() => this.#meter.settle(outcome, counts));
    else await this.leave();
  }

  /** On disconnect, settles the stream with what the client had read. No-op once settled. */
  async leave(): Promise<void> {
    await this.#settle(async () => {
      // Read acknowledgements of the page may still be queued on this thread.
      if (this.#state.readBytes !== undefined) await messagesHandled();
      await this.#meter.settle(this.#counts.earlyEnd, this.#counts.read);
    });
  }

  #settle(record: () => Promise<unknown>): Promise<void> {
    this.#settled ??= (async () => {
      await record();
      this.#state.onRead = undefined;
    })();
    return this.#settled;
  }

  #checkpoint(): void {
    if (!this.#settled) this.#meter.checkpoint(this.#counts.read);
  }

  /** Waits until the client has read what was sent but for `left` bytes, or disconnects. */
  async untilRead(left = 0): Promise<void> {
    if (this.#counts.unreadBytes <= left || this.#signal.aborted) return;
    await new Promise<void>((resolve) => {
      const finish = (): void => {
        this.#signal.removeEventListener("abort", finish);
        this.#state.onRead = () => this.#checkpoint();
        resolve();
      };
      this.#signal.addEventListener("abort", finish);
      this.#state.onRead = () => {
        this.#checkpoint();
        if (this.#counts.unreadBytes <= left) finish();
      };
    });
  }
}
