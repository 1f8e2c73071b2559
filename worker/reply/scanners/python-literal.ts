import { MAX_LEVELS } from "../call-format.ts";
import type { JsonStatus } from "./json-scanner.ts";
import { PythonString } from "./python-string.ts";
import { isWord, wordJson } from "./python-word.ts";

const WORD_PART = /[\w.+-]+/y;
/** Of a formatted string, which has no values to insert, or one in Unicode. */
const PREFIX = /^[fFuU]$/;
const QUOTE = /["']/;
/**
 * Whether `rest`, a comma or a closing parenthesis after a quote and what follows, ends an argument and not only a
 * quotation in its string; `undefined` if more text is needed.
 */
type EndsArgument = (rest: string) => boolean | undefined;

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
 * `{"a": None}`, `{"a", "b"}`. Outside of brackets, a word without quotes is text. A quote that nothing may follow is part of its
 * string, as models quote commands (vLLM's parser reads them too); the next one may end that quotation only.
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
  /** Quotes that are part of the string. */
  #innerQuotes = 0;
  /** White space that may follow a string, or be part of it. */
  #space = "";
  #isKey = false;
  #json = "";
  readonly #endsArgument: EndsArgument;

  /** @param endsArgument see {@link EndsArgument}. @default a comma or a parenthesis after a string ends the literal */
  constructor(endsArgument: EndsArgument = () => true) {
    this.#endsArgument = endsArgument;
  }

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
    const isComplete = this.#status === "complete" && this.#expects === "word";
    return isComplete && isWord(this.#word) ? this.#word : undefined;
  }

  /** Ends the text: a quote that may be part of its string ends it. */
  end(): void {
    if (this.#expects === "after-string" && this.#open.length === 0) this.#endString();
  }

  /** Scans `text` from `from`; returns the index after the last character of the literal. */
  push(text: string, from = 0): number {
    let at = from;
    while (at < text.length && this.#status === "open") {
      if (this.#expects === "string") at = this.#inString(text, at);
      else if (this.#expects === "after-string") {
        const next = this.#afterString(text, at);
        if (next === undefined) return at;
        at = next;
      } else if (this.#expects === "word") at = this.#inWord(text, at);
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
    this.#innerQuotes = 0;
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

  /** Returns the index of what follows; `undefined` if more text is needed to tell whether the string has ended. */
  #afterString(text: string, at: number): number | undefined {
    const char = text[at]!;
    if (" \n\r\t".includes(char)) {
      this.#space += char;
      return at + 1;
    }
    const mayEnd = char === "," || char === (this.#closing ?? ")");
    const mayBeInner = this.#open.length === 0 && this.#innerQuotes % 2 === 1;
    const isLast = mayEnd && mayBeInner ? this.#endsArgument(text.slice(at)) : mayEnd;
    if (isLast === undefined) return undefined;
    if (this.#isKey && isLast && this.#json.length === this.#brace + 1) this.#beginSet();
    const isEnd = this.#isKey ? char === ":" : isLast;
    if (isEnd) this.#endString();
    else {
      this.#string.reopen(this.#space);
      this.#innerQuotes++;
      this.#expects = "string";
    }
    this.#space = "";
    return at;
  }

  #endString(): void {
    this.#emit(JSON.stringify(this.#string.value));
    this.#expects = this.#isKey ? "colon" : "comma-or-end";
    if (!this.#isKey) this.#endValue();
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
    if (PREFIX.test(this.#word) && QUOTE.test(text[at]!)) return at + this.#beginString(text[at]!, false);
    const isAlone = this.#open.length === 0;
    const json =
      wordJson(this.#word) ?? (isAlone && isWord(this.#word) ? JSON.stringify(this.#word) : undefined);
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
