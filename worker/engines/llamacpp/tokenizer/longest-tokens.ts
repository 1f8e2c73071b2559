/** Vocabularies whose texts are cut from the left, always at the longest token. */

/** Finds the longest token at a place of a text. */
export class LongestTokens {
  readonly #tokens: ReadonlySet<string>;
  /** Lengths of tokens by their first two characters, the longest first. */
  readonly #lengths = new Map<string, number[]>();

  constructor(tokens: readonly string[]) {
    this.#tokens = new Set(tokens);
    for (const token of [...this.#tokens].sort((a, b) => b.length - a.length)) {
      const start = token.slice(0, 2);
      const lengths = this.#lengths.get(start);
      if (!lengths) this.#lengths.set(start, [token.length]);
      else if (lengths.at(-1) !== token.length) lengths.push(token.length);
    }
  }

  /** A character without a token is a piece of its own. */
  split(text: string): string[] {
    const pieces: string[] = [];
    for (let start = 0; start < text.length; ) {
      const lengths = this.#lengths.get(text.slice(start, start + 2)) ?? [];
      const length = lengths.find((one) => this.#tokens.has(text.slice(start, start + one)));
      const piece = text.slice(start, start + (length ?? 1));
      pieces.push(piece);
      start += piece.length;
    }
    return pieces;
  }
}
