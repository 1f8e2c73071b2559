import type { ReasoningPiece } from "../reasoning-reader.ts";
import type { ToolReaderEvent } from "../tool-events.ts";

/** Thoughts and text with their places, calls, or a message of another role. */
export type MessagePiece = ReasoningPiece | Exclude<ToolReaderEvent, { type: "text" }>;

type Kind = ReasoningPiece["kind"];

/** More than the characters of a message's header. */
export const LONGEST_HEADER = 256;
/** Between two thoughts, and two texts. */
const GAP = "\n\n";

/** What readers of messages hold: text that is not read yet, and which kinds of messages they have released. */
export class MessageText {
  #held = "";
  #at = 0;
  readonly #written = new Set<Kind>();
  #gap = "";

  /** Text that is not read yet. */
  get held(): string {
    return this.#held;
  }

  /** Where that begins in the reply. */
  get at(): number {
    return this.#at;
  }

  add(text: string): void {
    this.#held += text;
  }

  skip(length: number): void {
    this.#held = this.#held.slice(length);
    this.#at += length;
  }

  /** Begins a message: a gap is before it if one of its kind is. */
  begin(kind: Kind): void {
    this.#gap = this.#written.has(kind) ? GAP : "";
  }

  /** Says that a message of this kind was written. */
  mark(kind: Kind): void {
    this.#written.add(kind);
  }

  /** The beginning of what is held, as part of the message. */
  *release(kind: Kind, length: number): Generator<ReasoningPiece, void> {
    if (length === 0) return;
    if (this.#gap !== "") yield { kind, text: this.#gap, start: this.#at };
    this.#gap = "";
    yield { kind, text: this.#held.slice(0, length), start: this.#at };
    this.skip(length);
  }
}
