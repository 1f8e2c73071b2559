import { firstMarker, heldEnd } from "./held-end.ts";

/** A part of the reply: reasoning or visible text. */
export interface ReasoningPiece {
  kind: "reasoning" | "text";
  text: string;
}

/** Markers of an optional reasoning block at the start of a reply. */
export interface ReasoningMarkers {
  open: string;
  close: string;
  /** The prompt ended with the open marker, so the reply begins inside the block. */
  startsInside?: boolean;
  /** Markers around the answer behind the block, which are dropped. @default none */
  answer?: { open: string; close: string };
}

/** @default `<think>` and `</think>` */
export interface ReasoningOptions extends Partial<ReasoningMarkers> {
  /** Beginnings of tool calls that end a block which was not closed. @default none */
  calls?: readonly string[];
}

type Place = "before" | "inside" | "after";

/**
 * Splits one `<think>…</think>` block off the beginning of a reply, as vLLM's and DeepSeek's parsers do. The markers
 * and the newlines around the reasoning are dropped. A block that is never closed is all reasoning. Only a block at
 * the start counts, after optional white space; later markers are text.
 */
export class ReasoningReader {
  readonly #open: string;
  readonly #close: string;
  #place: Place;
  #held = "";
  #received = 0;
  /** Whether newlines here belong to the markers. */
  #skipsNewlines: boolean;
  readonly #answer: ReasoningOptions["answer"];
  /** `expected`: the answer may begin with its marker. `open`: it did. */
  #answerIs: "expected" | "open" | undefined;
  readonly #calls: readonly string[];
  #endedByCall = false;

  constructor({
    open = "<think>",
    close = "</think>",
    startsInside = false,
    answer,
    calls = [],
  }: ReasoningOptions = {}) {
    this.#open = open;
    this.#close = close;
    this.#answer = answer;
    this.#calls = calls;
    this.#place = startsInside ? "inside" : "before";
    this.#skipsNewlines = startsInside;
  }

  /** True while inside the reasoning block. */
  get inside(): boolean {
    return this.#place === "inside";
  }

  /** Whether a call ended the block in place of its marker. */
  get endedByCall(): boolean {
    return this.#endedByCall;
  }

  /** Characters of the reply that are decided; those of the last text piece are the last of them. */
  get decided(): number {
    return this.#received - this.#held.length;
  }

  /** Adds text of the reply and returns what is decided, without empty parts. At most one piece, the last, is text. */
  push(text: string): ReasoningPiece[] {
    this.#received += text.length;
    this.#held += text;
    const pieces: ReasoningPiece[] = [];
    if (this.#place === "before") this.#enter();
    if (this.#place === "inside") pieces.push(...this.#think());
    if (this.#place === "after") pieces.push(...this.#speak());
    return pieces;
  }

  /** Ends the reply, and returns the text held back as its current kind. */
  flush(): ReasoningPiece[] {
    const kind = this.inside ? "reasoning" : "text";
    const answer = this.#answerIs === "open" ? withoutEnd(this.#held, this.#answer!.close) : this.#held;
    const rest = this.inside ? this.#held.replace(/\n+$/, "") : answer;
    this.#held = "";
    return rest === "" ? [] : [{ kind, text: rest }];
  }

  /** Detects the block at the beginning. */
  #enter(): void {
    const begun = this.#held.trimStart();
    if (begun.startsWith(this.#open)) {
      this.#held = begun.slice(this.#open.length);
      this.#place = "inside";
      this.#skipsNewlines = true;
    } else if (!this.#open.startsWith(begun)) {
      this.#place = "after";
      // The prompt may have closed the thought.
      if (this.#answer) this.#answerIs = "expected";
    }
  }

  #think(): ReasoningPiece[] {
    if (!this.#skipLeadingNewlines()) return [];
    const ends = [this.#close, ...this.#calls];
    const match = firstMarker(this.#held, ends);
    if (match) {
      const thought = this.#held.slice(0, match.start).replace(/\n+$/, "");
      this.#endedByCall = match.marker !== this.#close;
      this.#held = this.#held.slice(this.#endedByCall ? match.start : match.end);
      this.#place = "after";
      this.#skipsNewlines = true;
      if (this.#answer && !this.#endedByCall) this.#answerIs = "expected";
      return thought === "" ? [] : [{ kind: "reasoning", text: thought }];
    }
    // Hold trailing newlines back: a close marker may follow.
    return this.#release("reasoning", heldBefore(this.#held, heldEnd(this.#held, ends)));
  }

  #speak(): ReasoningPiece[] {
    if (!this.#skipLeadingNewlines()) return [];
    if (this.#answerIs === "expected" && !this.#enterAnswer()) return [];
    if (this.#answerIs !== "open") return this.#release("text", heldEnd(this.#held, []));
    const { close } = this.#answer!;
    // White space may follow the marker at the end of the reply.
    const end = this.#held.trimEnd();
    const held = end.endsWith(close)
      ? this.#held.length - end.length + close.length
      : heldEnd(this.#held, [close]);
    return this.#release("text", heldBefore(this.#held, held));
  }

  /** False while it is open whether the answer begins with its marker. */
  #enterAnswer(): boolean {
    const { open } = this.#answer!;
    const begun = this.#held.trimStart();
    if (begun.startsWith(open)) {
      this.#held = begun.slice(open.length);
      this.#answerIs = "open";
      this.#skipsNewlines = true;
      return this.#skipLeadingNewlines();
    }
    if (open.startsWith(begun)) return false;
    this.#answerIs = undefined;
    return true;
  }

  /** False while there are only newlines. */
  #skipLeadingNewlines(): boolean {
    if (this.#skipsNewlines) {
      this.#held = this.#held.replace(/^\n+/, "");
      if (this.#held !== "") this.#skipsNewlines = false;
    }
    return this.#held !== "";
  }

  #release(kind: ReasoningPiece["kind"], held: number): ReasoningPiece[] {
    const cut = this.#held.length - held;
    const text = this.#held.slice(0, cut);
    this.#held = this.#held.slice(cut);
    return text === "" ? [] : [{ kind, text }];
  }
}

/** `held` characters at the end of a text, and the newlines before them. */
function heldBefore(text: string, held: number): number {
  let all = held;
  while (text[text.length - all - 1] === "\n") all++;
  return all;
}

/** A text without the marker that may end it, and the newlines before that. */
function withoutEnd(text: string, marker: string): string {
  const end = text.trimEnd();
  return end.endsWith(marker) ? end.slice(0, -marker.length).replace(/\n+$/, "") : text;
}
