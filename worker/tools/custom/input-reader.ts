import { JsonScanner } from "../../reply/scanners/json-scanner.ts";
import { INPUT } from "./custom-call.ts";

/** What the arguments of a call begin with. */
const START = `{"${INPUT}":"`;
const BEGINNING = new RegExp(`^\\s*\\{\\s*"${INPUT}"\\s*:\\s*"`);
const EMPTY = /^\s*\{\s*\}\s*$/;
/** No model writes more white space in it. */
const MAX_BEGINNING = 200;
/** Characters, the closing quote, and escapes. */
const TOKEN = /[^"\\]+|"|\\u[0-9a-fA-F]{4}|\\[^u]/sy;
const UNFINISHED = /^\\(?:u[0-9a-fA-F]{0,3})?$/;
const ESCAPES = new Map([
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["/", "/"],
  ["\\", "\\"],
  ['"', '"'],
]);

/**
 * Reads the input of a custom tool from the arguments of its function, piece by piece. Arguments of another form are the
 * input as they are, so that no call is lost.
 */
export class InputReader {
  #state: "beginning" | "text" | "raw" | "done" = "beginning";
  /** The beginning, an unfinished escape, or the first half of a character. */
  #held = "";
  /** Finds the end of arguments of another form. */
  readonly #other = new JsonScanner();

  /** Adds arguments and returns what they add to the input. */
  push(piece: string): string {
    const whole = this.#held + piece;
    this.#held = "";
    switch (this.#state) {
      case "beginning":
        return this.#begin(whole);
      case "text":
        return this.#unescape(whole);
      case "raw":
        return this.#copy(whole);
      case "done":
        // What follows the closing quote has no meaning.
        return "";
    }
  }

  /**
   * Ends the arguments.
   *
   * @returns whether the input is whole: its quote is closed, or arguments of another form are whole JSON. An empty object
   * is a whole call without an input.
   */
  end(): boolean {
    switch (this.#state) {
      case "beginning":
        return EMPTY.test(this.#held);
      case "text":
        return false;
      case "raw":
        return this.#other.end() === "complete";
      case "done":
        return true;
    }
  }

  #begin(whole: string): string {
    const begin = BEGINNING.exec(whole.slice(0, MAX_BEGINNING));
    if (begin) {
      this.#state = "text";
      return this.#unescape(whole.slice(begin[0].length));
    }
    const compact = whole.slice(0, MAX_BEGINNING).replace(/\s/g, "");
    if (whole.length < MAX_BEGINNING && (START.startsWith(compact) || compact === "{}")) {
      this.#held = whole;
      return "";
    }
    this.#state = "raw";
    return this.#copy(whole);
  }

  #copy(whole: string): string {
    this.#other.push(whole);
    return whole;
  }

  /** The text before the closing quote. */
  #unescape(escaped: string): string {
    const pieces: string[] = [];
    let at = 0;
    while (at < escaped.length) {
      TOKEN.lastIndex = at;
      const token = TOKEN.exec(escaped)?.[0];
      if (token === '"') {
        this.#state = "done";
        return pieces.join("");
      }
      if (token === undefined && UNFINISHED.test(escaped.slice(at, at + 6))) break;
      // A backslash that begins no escape is text.
      pieces.push(token === undefined ? "\\" : unescaped(token));
      at += token?.length ?? 1;
    }
    this.#held = escaped.slice(at);
    return this.#withoutHalf(pieces.join(""));
  }

  /** Holds back the first half of a character. */
  #withoutHalf(text: string): string {
    const last = text.charCodeAt(text.length - 1);
    if (!(last >= 0xd800 && last <= 0xdbff)) return text;
    this.#held = text.slice(-1) + this.#held;
    return text.slice(0, -1);
  }
}

function unescaped(token: string): string {
  if (token[0] !== "\\") return token;
  if (token[1] === "u") return String.fromCharCode(Number.parseInt(token.slice(2), 16));
  return ESCAPES.get(token.slice(1)) ?? token;
}
