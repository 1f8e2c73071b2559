import { untilMarker } from "./find-marker.ts";

/**
 * Ends a reply at the first stop string, and holds back text that could be the start of one. "First" is the one that
 * ends first, however the text is split; surrogate pairs are never split.
 */
export class StopReader {
  readonly #stops: readonly string[];
  readonly #includesStop: boolean;
  #held = "";
  #stopped = false;
  #after = 0;

  /**
   * @param stops non-empty strings
   * @param includesStop whether the stop string itself is delivered
   */
  constructor(stops: readonly string[], includesStop = false) {
    this.#stops = stops;
    this.#includesStop = includesStop;
  }

  /** True once a stop string has appeared: everything after it is dropped. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** Characters of the added text that follow what was delivered last. */
  get after(): number {
    return this.#after;
  }

  /** Adds text of the reply and returns what can be delivered now. */
  push(text: string): string {
    if (this.#stopped) return "";
    const whole = this.#held + text;
    const { end, marker } = untilMarker(whole, this.#stops);
    this.#stopped = marker !== undefined;
    const cut = marker !== undefined && this.#includesStop ? end + marker.length : end;
    this.#held = this.#stopped ? "" : whole.slice(cut);
    this.#after = whole.length - cut;
    return whole.slice(0, cut);
  }

  /** Ends the reply, and returns the text held back. */
  flush(): string {
    const rest = this.#held;
    this.#held = "";
    this.#after = 0;
    return rest;
  }
}
