import { firstMarker, heldEnd } from "./held-end.ts";

/** A part of the reply: reasoning or visible text. */
export interface ReasoningPiece {
  kind: "reasoning" | "text";
  text: string;
}

export interface ReasoningOptions {
  /** @default `<think>` */
  open?: string;
  /** @default `</think>` */
  close?: string;
  /** The prompt ended with the open marker, so the reply begins inside the block. */
  startsInside?: boolean;
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

  constructor({ open = "<think>", close = "</think>", startsInside = false }: ReasoningOptions = {}) {
    this.#open = open;
    this.#close = close;
    this.#place = startsInside ? "inside" : "before";
    this.#skipsNewlines = startsInside;
  }

  /** True while inside the reasoning block. */
  get inside(): boolean {
    return this.#place === "inside";
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
    const rest = this.inside ? this.#held.replace(/\n+$/, "") : this.#held;
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
    }
  }

  #think(): ReasoningPiece[] {
    if (!this.#skipLeadingNewlines()) return [];
    const match = firstMarker(this.#held, [this.#close]);
    if (match) {
      const thought = this.#held.slice(0, match.start).replace(/\n+$/, "");
      this.#held = this.#held.slice(match.end);
      this.#place = "after";
      this.#skipsNewlines = true;
      return thought === "" ? [] : [{ kind: "reasoning", text: thought }];
    }
    // Hold trailing newlines back: a close marker may follow.
    let held = heldEnd(this.#held, [this.#close]);
    while (this.#held[this.#held.length - held - 1] === "\n") held++;
    return this.#release("reasoning", held);
  }

  #speak(): ReasoningPiece[] {
    if (!this.#skipLeadingNewlines()) return [];
    return this.#release("text", heldEnd(this.#held, []));
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
