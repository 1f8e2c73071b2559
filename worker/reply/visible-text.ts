/** Characters of the generated reply, from `start` up to but without `end`. */
export interface Span {
  start: number;
  end: number;
}

/** Positions of a reply's visible text, between thoughts and dropped markers. */
export class VisibleText {
  #length = 0;
  /** Parts of the text without a gap, from `from` on, and how far in front of them the reply is. */
  #parts: { from: number; shift: number }[] = [];

  get length(): number {
    return this.#length;
  }

  /** Adds text that begins at `start` in the reply. */
  add(start: number, length: number): void {
    const shift = start - this.#length;
    if (this.#parts.at(-1)?.shift !== shift) this.#parts.push({ from: this.#length, shift });
    this.#length += length;
  }

  /** The places of the text from `from` up to `to`. Forgets what is before, as the text is delivered in order. */
  spans(from: number, to: number): Span[] {
    const next = this.#parts.findIndex((part) => part.from > from);
    const first = (next < 0 ? this.#parts.length : next) - 1;
    if (first > 0) this.#parts.splice(0, first);
    const spans: Span[] = [];
    for (const [index, part] of this.#parts.entries()) {
      if (part.from >= to) break;
      const start = Math.max(from, part.from) + part.shift;
      spans.push({ start, end: Math.min(to, this.#parts[index + 1]?.from ?? to) + part.shift });
    }
    return spans;
  }
}
