import type { ParameterTypes } from "./call-format.ts";
import { NamesWithEnd, parameterNamed } from "./parameter-names.ts";
import { plainJson } from "./plain-value.ts";
import { CONSTANTS } from "./python-word.ts";

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
   * The name that `text` begins with, if it has a colon, or an equals sign after it; empty if there is none, undefined if
   * more text is needed to tell.
   */
  argumentKey(text: string): string | undefined {
    const withColon = this.#withColon.named(text);
    if (withColon !== "") return withColon;
    const word = /^[\w-]{0,128}/.exec(text)![0];
    if (word === text) return undefined;
    const isKey = word !== "" && text[word.length] === "=";
    // A parameter's name may have the sign.
    return isKey && !Object.keys(this.#types).some((key) => key.startsWith(`${word}=`)) ? word : "";
  }

  /** Whether `text` begins with a parameter; undefined if more text is needed to tell. */
  begins(text: string): boolean | undefined {
    if (this.#starts.some((start) => text.startsWith(start))) return true;
    return this.#starts.some((start) => start.startsWith(text)) ? undefined : false;
  }

  /** The parameter that a name without quotes is written for. */
  named(written: string): string {
    return parameterNamed(written, this.#types);
  }

  /** Whether a parameter may be text. */
  isText(name: string): boolean {
    return this.#typesOf(name).includes("string");
  }

  /**
   * The JSON of a value without quotes. Models write `None` and `True` as Python does; a parameter that may be text
   * keeps these words, but for the `None` of one that may be null.
   *
   * @param name the parameter; undefined within a list or an object
   */
  plainJson(word: string, name: string | undefined): string {
    const constant = CONSTANTS.get(word);
    const types = name === undefined ? [] : this.#typesOf(name);
    const isText = types.includes("string") && !(constant === "null" && types.includes("null"));
    return constant === undefined || isText ? plainJson(word) : constant;
  }

  #typesOf(name: string): readonly (string | undefined)[] {
    return Object.hasOwn(this.#types, name) ? [this.#types[name]].flat() : [];
  }
}
