import { type ParameterTypes, typesNamed, type XmlSyntax } from "../call-format.ts";
import { JsonScanner } from "../scanners/json-scanner.ts";
import { toJson } from "../scanners/plain-value.ts";
import type { BlockOptions } from "./block.ts";
import { CDATA, elementText, sectionEnds, valueEnds } from "./element-text.ts";
import { NamesWithEnd, parameterNamed } from "./parameter-names.ts";
import { type Step, TextBlock } from "./text-block.ts";

/** More than the characters of a tool's name and of a tag after it. */
const LONGEST_NAME = 256;

/**
 * Calls of Qwen3-Coder and Qwen3.5: `<function=name><parameter=key>value</parameter></function>`, and of other models
 * with other tags. Values are raw text, so the tool's schema decides whether `5` is a number or text. Models leave
 * closing tags out: a call that the model ended has whole arguments nevertheless.
 */
export class XmlBlock extends TextBlock {
  #state:
    | "function"
    | "name"
    | "first"
    | "object"
    | "member"
    | "key"
    | "begin"
    | "opening"
    | "value"
    | "cdata"
    | "close" = "function";
  #types: ParameterTypes = {};
  #namesWithEnd = new NamesWithEnd({}, "");
  #key = "";
  /** What the model says of the value. */
  #isText: boolean | undefined;
  #members = 0;
  /** The arguments, where they are no elements. */
  #object: JsonScanner | undefined;
  readonly #syntax: XmlSyntax;
  readonly #valueEnds: readonly string[];
  readonly #sectionEnds: readonly string[];
  /** What ends a call that has no tag of its own for that. */
  readonly #callEnds: readonly string[];

  constructor(options: BlockOptions, syntax: XmlSyntax) {
    super(options);
    this.#syntax = syntax;
    const { open, inline = [] } = options.format;
    this.#callEnds = syntax.end === "" ? [...this.closeMarkers, ...open, ...inline] : this.closeMarkers;
    this.#valueEnds = valueEnds(syntax, options.format);
    this.#sectionEnds = sectionEnds(syntax);
  }

  protected step(): Step {
    switch (this.#state) {
      case "function":
        return this.#function();
      case "name":
        return this.#syntax.call.after === "" ? this.#bareName() : this.#name();
      case "first":
        return this.#first();
      case "object":
        return this.#readObject();
      case "member":
        return this.#member();
      case "key":
        return this.#readKey();
      case "begin":
        return this.#begin();
      case "value":
        return this.#value();
      case "opening":
        return this.#opening();
      case "cdata":
        return this.#cdata();
      case "close":
        return this.close();
    }
  }

  #function(): Step {
    this.skipSpace();
    const found = this.take(this.#syntax.call.before);
    if (found === undefined) return "wait";
    this.#state = "name";
    return found ? "again" : "leave";
  }

  /** Qwen3.6 quotes some names, and leaves out the end of some tags (pull request 1881 of mlx-lm). */
  #name(): Step {
    const { call, member } = this.#syntax;
    const { after, isDoubled } = call;
    const found = this.takeBefore([after, `\n${member.before}`]);
    // A name without an end must not cost all of a long text at each opening marker.
    if (found === undefined) return this.unread.length > LONGEST_NAME ? "leave" : "wait";
    this.take(after);
    const name = /^\s*["']?([^"']*)/.exec(found.text)![1]!.trim();
    return this.#startCall(isDoubled ? name.replace(/^(.+)\.\1$/, "$1") : name);
  }

  /** A name that no tag ends. */
  #bareName(): Step {
    this.skipSpace();
    const name = /^[^\s<]*/.exec(this.buffer)![0];
    const rest = this.buffer.slice(name.length).trimStart();
    const tags = [this.#syntax.member.before, ...this.#callEnds];
    if (!tags.some((tag) => rest.startsWith(tag))) {
      const mayFollow = this.buffer.length < LONGEST_NAME && tags.some((tag) => tag.startsWith(rest));
      return mayFollow ? "wait" : "leave";
    }
    this.buffer = rest;
    return name === "" ? "leave" : this.#startCall(name);
  }

  #startCall(name: string): Step {
    if (!this.accepts(name)) return "leave";
    this.start(name);
    this.#types = this.typesOf(name);
    this.#namesWithEnd = new NamesWithEnd(this.#types, this.#syntax.member.after);
    this.#state = "first";
    return "again";
  }

  /** DeepSeek V3.2 may write a JSON object in place of elements (SGLang's parser reads both). */
  #first(): Step {
    this.skipSpace();
    const { around = [] } = this.#syntax;
    if (around.some((tag) => this.take(tag))) return "again";
    if (around.some((tag) => tag.startsWith(this.buffer)) || this.buffer === "") return "wait";
    if (this.buffer.startsWith("{")) this.#object = new JsonScanner();
    else this.emit("{");
    this.#state = this.#object ? "object" : "member";
    return "again";
  }

  #readObject(): Step {
    const status = this.emitJson(this.#object!);
    if (status === "open") return "wait";
    this.#state = "member";
    return status === "invalid" ? "leave" : "again";
  }

  #member(): Step {
    this.skipSpace();
    const { member, around = [], end } = this.#syntax;
    if (around.some((tag) => this.take(tag))) return "again";
    const isEnd = (end !== "" && this.take(end)) || this.#callEnds.some((tag) => this.buffer.startsWith(tag));
    if (isEnd) {
      if (!this.#object) this.emit("}");
      this.end();
      this.#state = "close";
      return "again";
    }
    if (!this.#object && this.take(member.before)) {
      this.#state = "key";
      return "again";
    }
    return [end, member.before, ...around, ...this.#callEnds].some((tag) => tag.startsWith(this.buffer))
      ? "wait"
      : "leave";
  }

  #readKey(): Step {
    const { isEscaped, member } = this.#syntax;
    const isBegun = this.unread !== this.buffer;
    const name = isBegun ? "" : this.#namesWithEnd.named(this.buffer);
    if (name === undefined) return "wait";
    if (name !== "") this.take(name + member.after);
    const key = name || this.takeUntil(member.after);
    if (key === undefined) return "wait";
    this.#key = parameterNamed(key, this.#types);
    this.#state = isEscaped ? "opening" : member.value === undefined ? "value" : "begin";
    return "again";
  }

  #begin(): Step {
    const { value = "", types } = this.#syntax.member;
    if (types) {
      const attributes = this.takeUntil(value);
      if (attributes === undefined) return "wait";
      this.#isText =
        attributes.includes(types.text) || (attributes.includes(types.other) ? false : undefined);
    } else {
      this.skipSpace();
      if (this.take(value) === undefined) return "wait";
    }
    this.#state = "value";
    return "again";
  }

  /** A value may be a CDATA section, in which tags are text, on the same line or the next. */
  #opening(): Step {
    const text = this.buffer.replace(/^\r?\n/, "");
    const isSection = text.startsWith(CDATA.open);
    if (!isSection && (CDATA.open.startsWith(text) || this.buffer === "\r")) return "wait";
    if (isSection) this.buffer = text.slice(CDATA.open.length);
    this.#state = isSection ? "cdata" : "value";
    return "again";
  }

  #cdata(): Step {
    const found = this.takeBefore(this.#sectionEnds);
    if (!found) return "wait";
    this.take(CDATA.close);
    this.skipSpace();
    this.take(this.#syntax.memberEnd);
    return this.#endValue(found.text);
  }

  #value(): Step {
    const found = this.takeBefore(this.#valueEnds);
    if (found === undefined) return "wait";
    this.take(this.#syntax.memberEnd);
    const isLine = found.end.startsWith("\n") && (this.#syntax.isOnLines || /^\r?\n/.test(found.text));
    return this.#endValue(elementText(isLine ? `${found.text}\n` : found.text, this.#syntax));
  }

  #endValue(value: string): Step {
    this.emit(this.#json(value));
    this.#state = "member";
    return "again";
  }

  #json(value: string): string {
    const gap = this.#members++ === 0 ? "" : ", ";
    const types = typesNamed(this.#key, this.#types);
    return `${gap}${JSON.stringify(this.#key)}: ${toJson(value, types, this.#isText)}`;
  }

  /** A call without arguments may lack its end. */
  protected override atEnd(byModel: boolean): void {
    const name = this.buffer.trim();
    if (!byModel || this.#state !== "name" || this.#syntax.call.after !== "" || !this.accepts(name)) return;
    this.buffer = "";
    this.#startCall(name);
  }

  protected override missing(): string {
    if (this.#state === "first") return "{}";
    if (this.#object) return "";
    if (this.#state === "cdata") {
      const text = this.unread.split(this.#syntax.memberEnd, 1)[0]!;
      return `${this.#json(text.replace(/\]\]>\s*$/, ""))}}`;
    }
    if (this.#state !== "value") return "}";
    const text = this.unread.trimEnd();
    const end = [this.#syntax.end, ...this.closeMarkers].find((tag) => tag !== "" && text.endsWith(tag));
    const value = end === undefined ? this.unread : text.slice(0, -end.length);
    return `${this.#json(elementText(value, this.#syntax))}}`;
  }
}
