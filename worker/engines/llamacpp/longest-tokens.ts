/** Vocabularies whose texts are cut from the left, always at the longest token. */

/** Finds the longest token at a place of a text. */
export class LongestTokens {
  readonly #tokens: ReadonlySet<string>;
  /** Length of the longest token by its first two characters. */
  readonly #longest = new Map<string, number>();

  constructor(tokens: readonly string[]) {
    this.#tokens = new Set(tokens);
    for (const token of this.#tokens) {
      const start = token.slice(0, 2);
      this.#longest.set(start, Math.max(this.#longest.get(start) ?? 0, token.length));
    }
  }

  /** A character without a token is a piece of its own. */
  split(text: string): string[] {
    const pieces: string[] = [];
    for (let start = 0; start < text.length; ) {
      let end = Math.min(text.length, start + (this.#longest.get(text.slice(start, start + 2)) ?? 1));
      while (end > start + 1 && !this.#tokens.has(text.slice(start, end))) end--;
      pieces.push(text.slice(start, end));
      start = end;
    }
    return pieces;
  }
}
