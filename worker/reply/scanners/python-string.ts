import type { JsonStatus } from "./json-scanner.ts";

const PLAIN = /[^"'\\]+/y;
const HEX_DIGIT = /[0-9a-fA-F]/;
/** Hex digits of an escaped character. */
const CODE_LENGTHS = new Map([
  ["x", 2],
  ["u", 4],
  ["U", 8],
]);
const ESCAPES = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["b", "\b"],
  ["f", "\f"],
  ["\n", ""],
  ["\\", "\\"],
  ['"', '"'],
  ["'", "'"],
]);

/** Streaming scanner of a Python string, after its first quote: `'…'`, `"…"`, and three quotes on both sides. */
export class PythonString {
  readonly #quote: string;
  #status: JsonStatus = "open";
  #expects: "opening" | "text" | "escape" | "code" = "opening";
  /** Quotes on each side: 1 or 3. */
  #width = 1;
  /** Quotes that were just read: those around the text, or some within it. */
  #quotes = 1;
  #code = "";
  #codeLength = 0;
  #value = "";

  /** @param quote the first character of the string */
  constructor(quote: string) {
    this.#quote = quote;
  }

  get status(): JsonStatus {
    return this.#status;
  }

  get value(): string {
    return this.#value;
  }

  /** The quotes that completed the string were part of it, and so is `more`. */
  reopen(more: string): void {
    this.#value += this.#quote.repeat(this.#width) + more;
    this.#quotes = 0;
    this.#expects = "text";
    this.#status = "open";
  }

  /** Scans `text` from `from`; returns the index after the last character of the string. */
  push(text: string, from: number): number {
    let at = from;
    while (at < text.length && this.#status === "open") at = this.#read(text, at);
    return at;
  }

  #read(text: string, at: number): number {
    const char = text[at]!;
    switch (this.#expects) {
      case "opening":
        return this.#open(char, at);
      case "escape":
        this.#escape(char);
        return at + 1;
      case "code":
        this.#inCode(char);
        return at + 1;
      case "text":
        return this.#text(text, at);
    }
  }

  /** Tells one quote, an empty string and three quotes apart. */
  #open(char: string, at: number): number {
    if (char === this.#quote && ++this.#quotes < 3) return at + 1;
    if (this.#quotes === 2) {
      this.#status = "complete";
      return at;
    }
    this.#width = this.#quotes;
    this.#quotes = 0;
    this.#expects = "text";
    return this.#width === 3 ? at + 1 : at;
  }

  #text(text: string, at: number): number {
    const char = text[at]!;
    if (char === this.#quote) {
      if (++this.#quotes === this.#width) this.#status = "complete";
      return at + 1;
    }
    this.#value += this.#quote.repeat(this.#quotes);
    this.#quotes = 0;
    if (char === "\\") {
      this.#expects = "escape";
      return at + 1;
    }
    PLAIN.lastIndex = at;
    const plain = PLAIN.exec(text)?.[0] ?? char;
    this.#value += plain;
    return at + plain.length;
  }

  #escape(char: string): void {
    this.#codeLength = CODE_LENGTHS.get(char) ?? 0;
    this.#expects = this.#codeLength > 0 ? "code" : "text";
    // As Python does, an unknown escape stays as it is.
    if (this.#codeLength === 0) this.#value += ESCAPES.get(char) ?? `\\${char}`;
  }

  #inCode(char: string): void {
    this.#code += char;
    const isWhole = this.#code.length === this.#codeLength;
    const code = Number.parseInt(this.#code, 16);
    if (!HEX_DIGIT.test(char) || (isWhole && code > 0x10_ffff)) this.#status = "invalid";
    else if (isWhole) {
      this.#value += String.fromCodePoint(code);
      this.#code = "";
      this.#expects = "text";
    }
  }
}
