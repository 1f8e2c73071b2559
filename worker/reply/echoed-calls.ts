/** Longer ones are not looked for: what may be an echo is compared again with each piece. */
const LONGEST_ECHO = 10_000;
/** White space between an echo and its closing marker, which is read again with each piece, too. */
const LONGEST_SPACE = 100;

/** Calls that a model writes once more after their closing marker, with that marker (LFM2; vLLM's parser drops them, too). */
export class EchoedCalls {
  readonly #close: readonly string[];
  /** The calls that were just read, as they were written between their markers. */
  #written = "";

  /** @param close closing markers of calls */
  constructor(close: readonly string[]) {
    this.#close = close;
  }

  begin(): void {
    this.#written = "";
  }

  add(text: string): void {
    this.#written += text;
  }

  /**
   * @param rest what was added, but comes after the calls and their closing marker
   * @returns whether there is such a marker
   */
  end(rest: string): boolean {
    const written = this.#written.slice(0, this.#written.length - rest.length).trim();
    const marker = this.#close.find((one) => written.endsWith(one));
    // Without a closing marker, an equal call may follow.
    const isSought = marker !== undefined && written.length <= LONGEST_ECHO;
    this.#written = isSought ? written.slice(0, -marker.length).trim() : "";
    return marker !== undefined;
  }

  /**
   * Length of the echo, with its closing marker, that a text begins with; 0: none; undefined if more text is needed.
   *
   * @param text after a call, without white space at its beginning
   */
  lengthIn(text: string): number | undefined {
    const written = this.#written;
    if (written === "") return 0;
    if (!text.startsWith(written)) return written.startsWith(text) ? undefined : 0;
    const after = text.slice(written.length).trimStart();
    const marker = this.#close.find((one) => after.startsWith(one));
    if (marker !== undefined) return text.length - after.length + marker.length;
    const space = text.length - after.length - written.length;
    return space <= LONGEST_SPACE && this.#close.some((one) => one.startsWith(after)) ? undefined : 0;
  }
}
