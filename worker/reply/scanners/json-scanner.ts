/**
 * Streaming scanner of one JSON value (RFC 8259): finds the end of the value, however its text is split, without
 * building it.
 */
export class JsonScanner {
  #status: JsonStatus = "open";
  #expects: Expectation = "value";
  /** Open objects and arrays, the innermost last. */
  readonly #open: ("{" | "[")[] = [];
  /** Text so far of a number or a `\u` escape, or the rest of `true`, `false`, `null`. */
  #token = "";
  #isKey = false;

  /** `complete` once the value has ended, `invalid` once it cannot be valid. */
  get status(): JsonStatus {
    return this.#status;
  }

  /** Number of open objects and arrays. */
  get depth(): number {
    return this.#open.length;
  }

  /**
   * Scans `text` from `from` and returns the index after the last character of the value. White space before the value
   * is consumed, white space after it is not. A top-level number ends with the character after it or with {@link end}.
   */
  push(text: string, from = 0): number {
    let at = from;
    while (at < text.length && this.#status === "open") {
      if (this.#step(text[at]!)) at++;
    }
    return at;
  }

  /** Ends the text, which completes a top-level number. */
  end(): JsonStatus {
    if (this.#status === "open" && this.#expects === "number" && this.#open.length === 0) this.#endNumber();
    return this.#status;
  }

  /** False if the character must be processed again, or is not part of the value. */
  #step(char: string): boolean {
    switch (this.#expects) {
      case "string":
        return this.#inString(char);
      case "escape":
        return this.#inEscape(char);
      case "unicode":
        return this.#inUnicode(char);
      case "number":
        return this.#inNumber(char);
      case "literal":
        return this.#inLiteral(char);
      default:
        return WHITE_SPACE.has(char) || this.#structure(char);
    }
  }

  #structure(char: string): boolean {
    const innermost = this.#open.at(-1);
    switch (this.#expects) {
      case "key-or-end":
        if (char === "}") return this.#close();
        return char === '"' ? this.#enterString(true) : this.#fail();
      case "key":
        return char === '"' ? this.#enterString(true) : this.#fail();
      case "colon":
        if (char !== ":") return this.#fail();
        this.#expects = "value";
        return true;
      case "comma-or-end":
        if (char === ",") {
          this.#expects = innermost === "{" ? "key" : "value";
          return true;
        }
        return char === (innermost === "{" ? "}" : "]") ? this.#close() : this.#fail();
      case "value-or-end":
        return char === "]" ? this.#close() : this.#beginValue(char);
      default:
        return this.#beginValue(char);
    }
  }

  #beginValue(char: string): boolean {
    if (char === "{" || char === "[") {
      this.#open.push(char);
      this.#expects = char === "{" ? "key-or-end" : "value-or-end";
      return true;
    }
    if (char === '"') return this.#enterString(false);
    const literal = LITERALS[char];
    if (literal !== undefined) {
      this.#token = literal.slice(1);
      this.#expects = "literal";
      return true;
    }
    if (!NUMBER_START.test(char)) return this.#fail();
    this.#token = char;
    this.#expects = "number";
    return true;
  }

  #enterString(isKey: boolean): boolean {
    this.#isKey = isKey;
    this.#expects = "string";
    return true;
  }

  #inString(char: string): boolean {
    if (char === "\\") this.#expects = "escape";
    else if (char < " ") return this.#fail();
    else if (char === '"') {
      if (this.#isKey) this.#expects = "colon";
      else this.#endValue();
    }
    return true;
  }

  #inEscape(char: string): boolean {
    if (char === "u") {
      this.#token = "";
      this.#expects = "unicode";
      return true;
    }
    if (!ESCAPES.has(char)) return this.#fail();
    this.#expects = "string";
    return true;
  }

  #inUnicode(char: string): boolean {
    if (!HEX_DIGIT.test(char)) return this.#fail();
    this.#token += char;
    if (this.#token.length === 4) this.#expects = "string";
    return true;
  }

  #inNumber(char: string): boolean {
    if (NUMBER_PART.test(char)) {
      this.#token += char;
      return true;
    }
    this.#endNumber();
    return false;
  }

  #inLiteral(char: string): boolean {
    if (this.#token[0] !== char) return this.#fail();
    this.#token = this.#token.slice(1);
    if (this.#token === "") this.#endValue();
    return true;
  }

  #endNumber(): void {
    if (NUMBER.test(this.#token)) this.#endValue();
    else this.#fail();
  }

  #close(): boolean {
    this.#open.pop();
    this.#endValue();
    return true;
  }

  #endValue(): void {
    if (this.#open.length === 0) this.#status = "complete";
    this.#expects = "comma-or-end";
  }

  #fail(): boolean {
    this.#status = "invalid";
    return false;
  }
}

export type JsonStatus = "open" | "complete" | "invalid";

type Expectation =
  | "value"
  | "value-or-end"
  | "key"
  | "key-or-end"
  | "colon"
  | "comma-or-end"
  | "string"
  | "escape"
  | "unicode"
  | "number"
  | "literal";

const LITERALS: Record<string, string> = { t: "true", f: "false", n: "null" };
const WHITE_SPACE = new Set([" ", "\n", "\r", "\t"]);
const ESCAPES = new Set(['"', "\\", "/", "b", "f", "n", "r", "t"]);
const HEX_DIGIT = /[0-9a-fA-F]/;
const NUMBER_START = /[-0-9]/;
const NUMBER_PART = /[-+.eE0-9]/;
const NUMBER = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$/;
