/**
 * Ends a reply at the first stop string and never lets a part of one out: text that could be the beginning of
 * a stop string is held back until it is decided.
 */
export class StopReader {
  readonly #stops: readonly string[];
  #held = "";
  #stopped = false;

  /** @param stops none of them empty */
  constructor(stops: readonly string[]) {
    this.#stops = stops;
  }

  /** True once a stop string has appeared: everything after it is dropped. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** Takes the next piece of the reply and returns what may be delivered now. */
  push(text: string): string {
    if (this.#stopped) return "";
    const whole = this.#held + text;
    const at = this.#firstStop(whole);
    if (at >= 0) {
      this.#stopped = true;
      this.#held = "";
      return whole.slice(0, at);
    }
    const keep = this.#possibleBeginning(whole);
    this.#held = whole.slice(whole.length - keep);
    return whole.slice(0, whole.length - keep);
  }

  /** The reply ended by itself: what was held back was no stop string. */
  flush(): string {
    const rest = this.#held;
    this.#held = "";
    return rest;
  }

  #firstStop(text: string): number {
    let first = -1;
    for (const stop of this.#stops) {
      const at = text.indexOf(stop);
      if (at >= 0 && (first < 0 || at < first)) first = at;
    }
    return first;
  }

  /** Length of the longest end of `text` with which a stop string begins. */
  #possibleBeginning(text: string): number {
    let longest = 0;
    for (const stop of this.#stops) {
      for (let length = Math.min(stop.length - 1, text.length); length > longest; length--) {
        if (text.endsWith(stop.slice(0, length))) longest = length;
      }
    }
    return longest;
  }
}
