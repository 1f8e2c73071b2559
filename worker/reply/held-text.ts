/** Text of a reply that is not read yet, and what was set aside before it, with their positions in the reply. */
export class HeldText {
  /** What is neither kind of text yet: white space, or a marker that may be text. */
  space = "";
  /** What was not read yet. */
  text = "";
  /** Where `space` begins in the reply. */
  at = 0;

  /** Sets white space at the beginning aside. */
  holdSpace(): void {
    const begun = this.text.trimStart();
    this.hold(this.text.length - begun.length);
  }

  /** Sets some text aside. */
  hold(length: number): void {
    this.space += this.text.slice(0, length);
    this.text = this.text.slice(length);
  }

  /** Makes what was set aside text to read again. */
  returnSpace(): void {
    this.text = this.space + this.text;
    this.space = "";
  }

  /** Drops what was set aside and some text after it. */
  drop(length: number): void {
    this.at += this.space.length + length;
    this.space = "";
    this.text = this.text.slice(length);
  }

  skipNewlines(): void {
    this.drop(/^\n*/.exec(this.text)![0].length);
  }

  /**
   * Removes and returns what was set aside with some text after it; undefined if there is no such text.
   *
   * @param waits whether newlines at its end are set aside, as a marker that they belong to may follow
   */
  take(length: number, waits: boolean): { text: string; start: number } | undefined {
    const end = waits ? withoutNewlines(this.text.slice(0, length)).length : length;
    const text = end === 0 ? "" : this.space + this.text.slice(0, end);
    const start = this.at;
    if (text !== "") this.drop(end);
    this.hold(length - end);
    return text === "" ? undefined : { text, start };
  }
}

/** A text without the newlines at its end. */
export function withoutNewlines(text: string): string {
  let end = text.length;
  while (text[end - 1] === "\n") end--;
  return text.slice(0, end);
}
