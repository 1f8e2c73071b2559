import { MAX_LEVELS } from "./call-format.ts";
import type { JsonStatus } from "./json-scanner.ts";
import { PythonString } from "./python-string.ts";

const WORD_PART = /[\w.+-]+/y;
const BARE_WORD = /^[A-Za-z_][\w-]*$/;
const NUMBER = /^[-+]?(\d[\d_]*)?(\.\d*)?([eE][-+]?\d+)?$/;
/** Python's constants, and JSON's, in JSON. */
export const CONSTANTS: ReadonlyMap<string, string> = new Map([
  ["True", "true"],
  ["False", "false"],
  ["None", "null"],
  ["true", "true"],
  ["false", "false"],
  ["null", "null"],
]);

/** Whether a text can be the name of a keyword argument in Python. */
export function isWord(text: string): boolean {
  return BARE_WORD.test(text);
}

type Expectation =
  | "value"
  | "value-or-end"
  | "key-or-end"
  | "colon"
  | "comma-or-end"
  | "word"
  | "string"
  | "after-string";

/**
 * Streaming scanner of one Python literal, which it turns into JSON: `True`, `1_000`, `'it'`, `[1, (2, 3)]`,
 * `{"a": None}`, `{"a", "b"}`. Outside of brackets, a word without quotes is text. A quote that nothing may follow is part of its string,
 * as models quote commands (vLLM's parser reads them too). Each character is read once.
 */
export class PythonLiteral {
  #status: JsonStatus = "open";
  #expects: Expectation = "value";
  /** Open brackets, the innermost last; `set` for the brace of a set. */
  readonly #open: string[] = [];
  /** Where the JSON of the last opened brace is. */
  #brace = 0;
  /** What separates the next value from the one before. */
  #gap = "";
  #word = "";
  #string = new PythonString('"');
  /** White space that may follow a string, or be part of it. */
  #space = "";
  #isKey = false;
  #json = "";

  /** A word or a number is complete once the character after it is there. */
  get status(): JsonStatus {
    return this.#status;
  }

  /** The JSON of a complete literal. */
  get json(): string {
    return this.#json;
  }

  /** The literal if it is a word, as the name of a keyword argument is. */
  get word(): string | undefined {
    const isWord = this.#status === "complete" && this.#expects === "word" && BARE_WORD.test(this.#word);
    return isWord ? this.#word : undefined;
  }

  /** Scans `text` from `from`; returns the index after the last character of the literal. */
  push(text: string, from = 0): number {
    let at = from;
    while (at < text.length && this.#status === "open") {
      if (this.#expects === "string") at = this.#inString(text, at);
      else if (this.#expects === "after-string") at += this.#afterString(text[at]!);
      else if (this.#expects === "word") at = this.#inWord(text, at);
      else if (" \n\r\t".includes(text[at]!)) at++;
      else at += this.#structure(text[at]!);
    }
    return at;
  }

  /** Returns the number of characters consumed: 0 if the character is invalid, or the first of a word. */
  #structure(char: string): number {
    switch (this.#expects) {
      case "colon":
        return char === ":" ? this.#expect("value", ": ") : this.#fail();
      case "comma-or-end":
        if (char !== ",") return this.#closeOrFail(char);
        return this.#expect(this.#open.at(-1) === "{" ? "key-or-end" : "value-or-end", ", ");
      case "key-or-end":
        return char === '"' || char === "'" ? this.#beginString(char, true) : this.#closeOrFail(char);
      case "value-or-end":
        return char === this.#closing ? this.#closeOrFail(char) : this.#beginValue(char);
      default:
        return this.#beginValue(char);
    }
  }

  get #closing(): string | undefined {
    return CLOSING.get(this.#open.at(-1) ?? "");
  }

  #expect(next: Expectation, gap: string): number {
    this.#expects = next;
    this.#gap = gap;
    return 1;
  }

  #beginValue(char: string): number {
    if (char === '"' || char === "'") return this.#beginString(char, false);
    if (!CLOSING.has(char)) {
      this.#word = "";
      this.#expects = "word";
      return 0;
    }
    if (this.#open.length === MAX_LEVELS) return this.#fail();
    this.#emit(char === "{" ? "{" : "[");
    this.#brace = this.#json.length - 1;
    this.#open.push(char);
    return this.#expect(char === "{" ? "key-or-end" : "value-or-end", "");
  }

  #closeOrFail(char: string): number {
    if (char !== this.#closing) return this.#fail();
    this.#gap = "";
    this.#emit(this.#open.pop() === "{" ? "}" : "]");
    this.#endValue();
    return 1;
  }

  #beginString(quote: string, isKey: boolean): number {
    this.#string = new PythonString(quote);
    this.#isKey = isKey;
    this.#expects = "string";
    return 1;
  }

  #inString(text: string, from: number): number {
    const at = this.#string.push(text, from);
    if (this.#string.status === "invalid") this.#fail();
    if (this.#string.status === "complete") this.#expects = "after-string";
    return at;
  }

  /** Returns the number of characters consumed: 0 if the character is not part of the string. */
  #afterString(char: string): number {
    if (" \n\r\t".includes(char)) {
      this.#space += char;
      return 1;
    }
    const isLast = char === "," || char === (this.#closing ?? ")");
    if (this.#isKey && isLast && this.#json.length === this.#brace + 1) this.#beginSet();
    const isEnd = this.#isKey ? char === ":" : isLast;
    if (!isEnd) this.#string.reopen(this.#space);
    this.#space = "";
    this.#expects = "string";
    if (!isEnd) return 0;
    this.#emit(JSON.stringify(this.#string.value));
    if (this.#isKey) this.#expects = "colon";
    else this.#endValue();
    return 0;
  }

  /** What seemed to be the first key of an object is a value. */
  #beginSet(): void {
    this.#json = `${this.#json.slice(0, this.#brace)}[`;
    this.#open[this.#open.length - 1] = "set";
    this.#isKey = false;
  }

  #inWord(text: string, from: number): number {
    WORD_PART.lastIndex = from;
    const part = WORD_PART.exec(text)?.[0] ?? "";
    this.#word += part;
    const at = from + part.length;
    if (at === text.length) return at;
    const isAlone = this.#open.length === 0;
    const json =
      wordJson(this.#word) ??
      (isAlone && BARE_WORD.test(this.#word) ? JSON.stringify(this.#word) : undefined);
    if (json === undefined) this.#fail();
    else {
      this.#emit(json);
      this.#endValue();
    }
    return at;
  }

  #emit(json: string): void {
    this.#json += this.#gap + json;
    this.#gap = "";
  }

  #endValue(): void {
    if (this.#open.length === 0) this.#status = "complete";
    else this.#expects = "comma-or-end";
  }

  #fail(): number {
    this.#status = "invalid";
    return 0;
  }
}

const CLOSING = new Map([
  ["[", "]"],
  ["(", ")"],
  ["{", "}"],
  ["set", "}"],
]);

/** The JSON of a number or a constant. */
function wordJson(word: string): string | undefined {
  const constant = CONSTANTS.get(word);
  if (constant !== undefined || !NUMBER.test(word)) return constant;
  const digits = word.replaceAll("_", "").replace(/^\+/, "");
  if (!/\d/.test(digits) || !Number.isFinite(Number(digits))) return undefined;
  // As written, since a number of JavaScript has 53 bits.
  return /^-?(0|[1-9]\d*)$/.test(digits) ? digits : String(Number(digits));
}
