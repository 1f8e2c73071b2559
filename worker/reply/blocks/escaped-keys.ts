import { type ParameterTypes, typesNamed } from "../call-format.ts";
import { plainJson } from "../scanners/plain-value.ts";
import { CONSTANTS } from "../scanners/python-word.ts";
import { NamesWithEnd, parameterNamed } from "./parameter-names.ts";

/** White space and a key are looked for within so much text: to wait for more would cost all of it at each piece. */
export const LONGEST_WAIT = 1024;

/** The names of a tool's parameters, where arguments have bare keys before a colon. */
export class EscapedKeys {
  readonly #types: ParameterTypes;
  readonly #withColon: NamesWithEnd;
  readonly #starts: string[];

  /** @param quote the token on both sides of a text, which keys may stand in, too */
  constructor(types: ParameterTypes, quote: string) {
    const keys = Object.keys(types);
    this.#types = types;
    this.#withColon = new NamesWithEnd(types, ":");
    const marked = keys.flatMap((key) => ["", '"', quote].map((mark) => mark + key + mark));
    this.#starts = [...marked.map((key) => `${key}:`), ...keys.map((key) => `${key}=`)];
  }

  /**
   * The name that `text` begins with, if it has a colon, or an equals sign after it, and the white space between; empty if
   * there is none, undefined if more text is needed to tell.
   */
  argumentKey(text: string): string | undefined {
    const withColon = this.#withColon.named(text);
    if (withColon !== "") return withColon;
    const [written, word] = /^([\w-]{0,128}) {0,8}/.exec(text)! as unknown as [string, string];
    if (written === text) return undefined;
    const isKey = word !== "" && text[written.length] === "=";
    // A parameter's name may have the sign.
    return isKey && !Object.keys(this.#types).some((key) => key.startsWith(`${word}=`)) ? written : "";
  }

  /** Whether the comma that `text` begins with is part of an argument's text; undefined if more text is needed to tell. */
  isInText(text: string, argument: string): boolean | undefined {
    if (!typesNamed(argument, this.#types).includes("string")) return false;
    const isNext = this.#begins(text.slice(1, LONGEST_WAIT).trimStart());
    return isNext === undefined && text.length < LONGEST_WAIT ? undefined : isNext !== true;
  }

  /** Whether `text` begins with a parameter; undefined if more text is needed to tell. */
  #begins(text: string): boolean | undefined {
    if (this.#starts.some((start) => text.startsWith(start))) return true;
    return this.#starts.some((start) => start.startsWith(text)) ? undefined : false;
  }

  /** The parameter that a name without quotes is written for. */
  named(written: string): string {
    return parameterNamed(written, this.#types);
  }

  /**
   * The JSON of a value without quotes. Models write `None` and `True` as Python does; a parameter that may be text
   * keeps these words, but for the `None` of one that may be null.
   *
   * @param name the parameter; undefined within a list or an object
   */
  plainJson(word: string, name: string | undefined): string {
    const constant = CONSTANTS.get(word);
    const types = name === undefined ? [] : typesNamed(name, this.#types);
    const isText = types.includes("string") && !(constant === "null" && types.includes("null"));
    return constant === undefined || isText ? plainJson(word) : constant;
  }
}
