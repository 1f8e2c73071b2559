import { heldEnd } from "../../../reply/find-marker.ts";

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
   * Part of a character waits, too, and is dropped at a limit. Byte tokens that are no whole text read as a replacement
   * character each, also those of the whole characters before: so all of them at the end wait.
   *
   * @param text all so far
   * @param end why it is the last, if it is: the model ended it, or something else
   * @returns what no call returned yet
   */
  next(text: string, end?: "stop" | "length"): string {
    const whole = end === "stop" ? text : text.slice(0, text.length - this.#partialLength(text, end));
    const ready = end ? whole : whole.slice(0, whole.length - heldEnd(whole, this.#stops));
    const fresh = ready.slice(this.#sent);
    this.#sent = Math.max(this.#sent, ready.length);
    return fresh;
  }

  /** How much of the end may be part of a character. */
  #partialLength(text: string, end: "length" | undefined): number {
    const replacements = replacementsAtEnd(text);
    const isOwn = end !== undefined && text.length - replacements >= this.#sent;
    // At a limit, web-llm's rule: each four are the model's own.
    return isOwn ? replacements % 4 : replacements;
  }
}

/** How many replacement characters a text ends with. */
export function replacementsAtEnd(text: string): number {
  let at = text.length;
  while (at > 0 && text[at - 1] === "\uFFFD") at--;
  return text.length - at;
}
