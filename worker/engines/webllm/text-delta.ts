/** Splits a text that grows into what is new at each call. */
export class TextDelta {
  #sent = 0;

  /** @param text all so far, which may have become shorter @returns what no call returned yet */
  next(text: string): string {
    // What was sent of a character that is whole only now was a replacement character.
    if (/^[\uDC00-\uDFFF]/.test(text.slice(this.#sent, this.#sent + 1))) this.#sent--;
    const fresh = text.slice(this.#sent);
    this.#sent = text.length;
    return fresh;
  }
}
