import type { RequestFacts } from "../../src/protocol/request-facts.ts";
import { NO_TOKENS } from "../generation/events.ts";
import type { Outcome, TokenCounts } from "../metering/meter.ts";

/**
 * How many tokens of a stream its reader has taken. A checkpoint never notes more: a page or a server that is
 * killed must not cost what nobody saw, and what is under way then may never be read.
 */
export class ReadCounts {
  readonly #facts: RequestFacts;
  #sentBytes = 0;
  #unread: { endsAtBytes: number; counts: TokenCounts }[] = [];
  #read: TokenCounts = NO_TOKENS;

  constructor(facts: RequestFacts) {
    this.#facts = facts;
  }

  /** Notes a piece of the body, and hands it back. */
  sent(piece: Uint8Array): Uint8Array {
    this.#sentBytes += piece.byteLength;
    return piece;
  }

  /** Notes what all pieces so far have come to, and returns what is read of it. */
  after(counts: TokenCounts): TokenCounts {
    const { readBytes } = this.#facts;
    // Nobody says what was read where the answer goes through no port: then it is whatever was given out.
    if (readBytes === undefined) return counts;
    this.#unread.push({ endsAtBytes: this.#sentBytes, counts });
    const first = this.#unread.findIndex(({ endsAtBytes }) => endsAtBytes > readBytes);
    const taken = this.#unread.splice(0, first < 0 ? this.#unread.length : first);
    this.#read = taken.at(-1)?.counts ?? this.#read;
    return this.#read;
  }

  /** How a stream ended that was not written to its end: by its reader's will, or by its death. */
  get earlyEnd(): Outcome {
    return this.#facts.isOrphan ? "interrupted" : "aborted";
  }
}
