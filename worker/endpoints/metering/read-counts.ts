import type { RequestState } from "../../../src/protocol/transfer/request-state.ts";
import type { Outcome } from "../../usage/ledger/schema.ts";
import { NO_TOKENS, type TokenCounts } from "../../usage/metering/meter.ts";

/**
 * Counts the tokens of a stream that the client has read. Checkpoints never record more: if a page or server is
 * killed, undelivered chunks are free.
 */
export class ReadCounts {
  readonly #state: RequestState;
  #sentBytes = 0;
  #unread: { endsAtBytes: number; counts: TokenCounts }[] = [];
  #read: TokenCounts = NO_TOKENS;

  constructor(state: RequestState) {
    this.#state = state;
  }

  /** Counts a chunk of the body and returns it. */
  sent(piece: Uint8Array): Uint8Array {
    this.#sentBytes += piece.byteLength;
    return piece;
  }

  /** Records the token counts of all chunks so far. */
  after(counts: TokenCounts): void {
    this.#unread.push({ endsAtBytes: this.#sentBytes, counts });
  }

  /** Bytes that were sent and that the client has not read. */
  get unreadBytes(): number {
    return Math.max(0, this.#sentBytes - this.#readBytes);
  }

  /** In-process responses have no read acknowledgements: count what was sent. */
  get #readBytes(): number {
    return this.#state.readBytes ?? Number.POSITIVE_INFINITY;
  }

  /** The token counts of what the client has read. */
  get read(): TokenCounts {
    const readBytes = this.#readBytes;
    const first = this.#unread.findIndex(({ endsAtBytes }) => endsAtBytes > readBytes);
    const taken = this.#unread.splice(0, first < 0 ? this.#unread.length : first);
    this.#read = taken.at(-1)?.counts ?? this.#read;
    return this.#read;
  }

  /** Outcome of an incomplete stream: the client aborted it, or died. */
  get earlyEnd(): Outcome {
    return this.#state.isOrphan ? "interrupted" : "aborted";
  }
}
