import { heldEnd } from "../../reply/find-marker.ts";

/** Splits a text that grows into what is new at each call. */
export class TextDelta {
  readonly #stops: readonly string[];
  #sent = 0;

  /** @param stops texts that end the reply: what may be the beginning of one waits */
  constructor(stops: readonly string[] = []) {
    this.#stops = stops;
  }

  /** Characters of the text that were returned. */
  get sent(): number {
    return this.#sent;
  }

  /** Call it before texts that lack so many characters at the beginning, all of which were returned. */
  drop(count: number): void {
    this.#sent -= count;
  }

  /**
   * Part of a character waits, too, and is dropped at a limit. web-llm's rule: the text is whole if it ends in a multiple of
   * four replacement characters.
   *
   * @param text all so far, which may have become shorter
   * @param end why it is the last, if it is: the model ended it, or something else
   * @returns what no call returned yet
   */
  next(text: string, end?: "stop" | "length"): string {
    const whole = end === "stop" ? text : text.slice(0, text.length - (replacementsAtEnd(text) % 4));
    const ready = end ? whole : whole.slice(0, whole.length - heldEnd(whole, this.#stops));
    // What was sent of a character that is whole only now was a replacement character.
    if (/^[\uDC00-\uDFFF]/.test(ready.slice(this.#sent, this.#sent + 1))) this.#sent--;
    const fresh = ready.slice(this.#sent);
    this.#sent = ready.length;
    return fresh;
  }
}

/** How many replacement characters a text ends with. */
export function replacementsAtEnd(text: string): number {
  let at = text.length;
  while (at > 0 && text[at - 1] === "\uFFFD") at--;
  return text.length - at;
}
