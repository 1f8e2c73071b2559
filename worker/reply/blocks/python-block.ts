import { LONGEST_NAME } from "../call-format.ts";
import { PythonLiteral } from "../scanners/python-literal.ts";
import { isWord } from "../scanners/python-word.ts";
import { parameterNamed } from "./parameter-names.ts";
import { type Step, TextBlock } from "./text-block.ts";

const NAME = new RegExp(`^([\\w-]{1,${LONGEST_NAME}})(\\.call)?\\(`);
const GAP = /^[,)][ \n\r\t]{0,64}/;
const KEY = /^[A-Za-z_][\w-]{0,127}\s?=[^=]/;
const PARTIAL_KEY = /^[A-Za-z_][\w-]{0,127}\s?=?$/;
const PARTIAL_NAME = new RegExp(`^[\\w-]{1,${LONGEST_NAME}}(\\.(c(a(ll?)?)?)?)?$`);

/**
 * Calls written as Python: `[f(city="Paris"), g()]`, or one call alone, also as `f.call(…)`; after a marker one in each
 * line. A call begins with a tool's name and `(key=` or `()`; after a marker also with a positional argument. Such
 * arguments get the names of the tool's parameters in the order of its schema.
 */
export class PythonBlock extends TextBlock {
  #state: "open" | "name" | "argument" | "value" | "after-value" | "after-call" | "close" | "next" = "open";
  #isList = false;
  #name = "";
  #members = 0;
  /** Names of parameters that are no words of Python, and the sign after them, such as `$filter=`, the longest first. */
  #otherKeys: string[] = [];
  /** Name of the current argument, once it is known. */
  #key: string | undefined;
  #literal = new PythonLiteral();
  readonly #endsArgument = (rest: string): boolean | undefined =>
    rest.startsWith(",") ? this.#beginsArgument(rest) : this.#endsCall(rest);

  protected step(): Step {
    if (this.#state === "close") return this.close();
    if (this.#state === "value") return this.#value();
    this.skipSpace();
    if (this.buffer === "") return "wait";
    switch (this.#state) {
      case "open":
        this.#isList = this.take("[") === true;
        this.#state = "name";
        return "again";
      case "name":
        return this.#readName();
      case "argument":
        return this.#argument();
      case "after-value":
        return this.#afterValue();
      case "after-call":
        return this.#afterCall();
      case "next":
        this.#state = this.isMarked && /^\w/.test(this.buffer) ? "name" : "close";
        return "again";
    }
  }

  protected override atEnd(byModel: boolean): void {
    if (this.#state !== "value") return;
    this.#literal.end();
    this.read(byModel);
  }

  #readName(): Step {
    const match = NAME.exec(this.buffer);
    if (!match) return PARTIAL_NAME.test(this.buffer) ? "wait" : "leave";
    this.#name = match[1]!;
    if (!this.accepts(this.#name)) return "leave";
    this.buffer = this.buffer.slice(match[0].length);
    this.#members = 0;
    this.#otherKeys = Object.keys(this.typesOf(this.#name))
      .filter((key) => !isWord(key))
      .sort((a, b) => b.length - a.length)
      // White space in front of a name is skipped.
      .map((key) => `${key.trimStart()}=`);
    this.#state = "argument";
    return "again";
  }

  #argument(): Step {
    if (this.take(")")) return this.#endCall();
    this.#key = undefined;
    const found = this.#otherKeys.find((key) => this.take(key));
    if (found !== undefined) this.#emitKey(found.slice(0, -1));
    else if (this.#otherKeys.some((key) => key.startsWith(this.buffer))) return "wait";
    this.#expectValue();
    return "again";
  }

  #expectValue(): void {
    this.#literal = new PythonLiteral(this.#endsArgument);
    this.#state = "value";
  }

  /** Whether a comma after a quote ends an argument: one with a name ends before another with a name, or the last. */
  #beginsArgument(comma: string): boolean | undefined {
    const rest = comma.replace(GAP, "");
    if (this.#key === undefined || rest.startsWith(")")) return true;
    if (KEY.test(rest) || this.#otherKeys.some((key) => rest.startsWith(key))) return true;
    const isCut =
      rest === "" || PARTIAL_KEY.test(rest) || this.#otherKeys.some((key) => key.startsWith(rest));
    return isCut ? undefined : false;
  }

  /** Whether a parenthesis after a quote ends the call: the end of the calls follows, or a call of a known tool. */
  #endsCall(parenthesis: string): boolean | undefined {
    const ends = [...(this.#isList ? ["]"] : []), ...this.closeMarkers];
    if (ends.length === 0) return true;
    const rest = parenthesis.replace(GAP, "");
    if (ends.some((end) => rest.startsWith(end))) return true;
    const next = this.#isList ? rest.replace(GAP, "") : rest;
    const mayBeCall = !this.#isList || rest.startsWith(",");
    const name = mayBeCall ? NAME.exec(next)?.[1] : undefined;
    if (name !== undefined) return this.accepts(name);
    const isCut = next === "" || (mayBeCall && PARTIAL_NAME.test(next));
    return isCut || ends.some((end) => end.startsWith(rest)) ? undefined : false;
  }

  /** The name of a keyword argument is read as a value at first. */
  #value(): Step {
    const end = this.#literal.push(this.buffer);
    this.buffer = this.buffer.slice(end);
    if (this.#literal.status === "open") return "wait";
    this.#state = "after-value";
    return this.#literal.status === "invalid" ? "leave" : "again";
  }

  #afterValue(): Step {
    const { word, json } = this.#literal;
    if (word !== undefined && this.#key === undefined && this.buffer.startsWith("=")) {
      if (this.buffer.length === 1) return "wait";
      if (this.buffer.startsWith("==")) return "leave";
      this.take("=");
      this.#emitKey(word);
      this.#expectValue();
      return "again";
    }
    if (!/^[,)]/.test(this.buffer)) return "leave";
    if (this.#key === undefined) {
      const key = Object.keys(this.typesOf(this.#name))[this.#members];
      if (key === undefined || !(this.isMarked || this.isInCall)) return "leave";
      this.#emitKey(key);
    }
    this.emit(json);
    if (this.take(")")) return this.#endCall();
    this.take(",");
    this.#state = "argument";
    return "again";
  }

  #emitKey(written: string): void {
    const key = parameterNamed(written, this.typesOf(this.#name));
    this.#begin();
    const gap = this.#members++ === 0 ? "" : ", ";
    this.emit(`${gap}${JSON.stringify(key)}: `);
    this.#key = key;
  }

  #begin(): void {
    if (this.isInCall) return;
    this.start(this.#name);
    this.emit("{");
  }

  #endCall(): Step {
    this.#begin();
    this.emit("}");
    this.end();
    this.#state = this.#isList ? "after-call" : "next";
    return "again";
  }

  #afterCall(): Step {
    if (this.take(",")) {
      this.#state = "name";
      return "again";
    }
    if (!this.take("]")) return "leave";
    this.settle();
    this.#state = "close";
    return "again";
  }
}
