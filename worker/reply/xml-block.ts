import type { BlockOptions } from "./call-block.ts";
import type { ParameterTypes, XmlSyntax } from "./call-format.ts";
import { PythonLiteral } from "./python-literal.ts";
import { type Step, TextBlock } from "./text-block.ts";

const CDATA = { open: "<![CDATA[", close: "]]>" };
const ENTITIES = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
  ["quot", '"'],
  ["apos", "'"],
]);

/**
 * Calls of Qwen3-Coder and Qwen3.5: `<function=name><parameter=key>value</parameter></function>`, and of MiniCPM5 with
 * other tags. Values are raw text, so the tool's schema decides whether `5` is a number or text. Models leave closing
 * tags out: a call that the model ended has whole arguments nevertheless.
 */
export class XmlBlock extends TextBlock {
  #state: "function" | "name" | "member" | "key" | "opening" | "value" | "cdata" | "close" = "function";
  #types: ParameterTypes = {};
  #key = "";
  #members = 0;
  readonly #syntax: XmlSyntax;
  readonly #valueEnds: readonly string[];
  readonly #sectionEnds: readonly string[];

  constructor(options: BlockOptions, syntax: XmlSyntax) {
    super(options);
    const { member, memberEnd, end } = syntax;
    this.#syntax = syntax;
    // vLLM ends a value at the first of these tags wherever it stands. Here the tags of what follows only count where
    // the template writes them, at the start of a line, or where the call ends too: a value may be code with such text.
    const follow = [member.before, end, ...this.closeMarkers].map((tag) => `\n${tag}`);
    const ends = this.closeMarkers.flatMap((tag) => [end + tag, `${end}\n${tag}`]);
    this.#valueEnds = [memberEnd, ...follow, ...ends];
    // A value may contain `]]>`: it ends a section only before a tag of the call.
    const after = [memberEnd, member.before, end].flatMap((tag) => [tag, `\n${tag}`]);
    this.#sectionEnds = after.map((tag) => CDATA.close + tag);
  }

  protected step(): Step {
    switch (this.#state) {
      case "function":
        return this.#function();
      case "name":
        return this.#name();
      case "member":
        return this.#member();
      case "key":
        return this.#readKey();
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

  #name(): Step {
    const name = this.takeUntil(this.#syntax.call.after)?.trim();
    if (name === undefined) return "wait";
    if (!this.accepts(name)) return "leave";
    this.start(name);
    this.#types = this.typesOf(name);
    this.emit("{");
    this.#state = "member";
    return "again";
  }

  #member(): Step {
    this.skipSpace();
    const { member, end } = this.#syntax;
    const isEnd = this.take(end) || this.closeMarkers.some((tag) => this.buffer.startsWith(tag));
    if (isEnd) {
      this.emit("}");
      this.end();
      this.#state = "close";
      return "again";
    }
    const isMember = this.take(member.before);
    if (isMember) {
      this.#state = "key";
      return "again";
    }
    return [end, member.before, ...this.closeMarkers].some((tag) => tag.startsWith(this.buffer))
      ? "wait"
      : "leave";
  }

  #readKey(): Step {
    const key = this.takeUntil(this.#syntax.member.after)?.trim();
    if (key === undefined) return "wait";
    this.#key = key;
    this.#state = this.#syntax.isEscaped ? "opening" : "value";
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
    return this.#endValue(this.#plain(found.end.startsWith("\n") ? `${found.text}\n` : found.text));
  }

  #endValue(value: string): Step {
    this.emit(this.#json(value));
    this.#state = "member";
    return "again";
  }

  /** Text between tags; templates write each value on lines of its own. */
  #plain(text: string): string {
    const value = text.replace(/^\r?\n/, "").replace(/\r?\n$/, "");
    return this.#syntax.isEscaped
      ? value.replace(/&(lt|gt|amp|quot|apos);/g, (_, name: string) => ENTITIES.get(name)!)
      : value;
  }

  #json(value: string): string {
    const gap = this.#members++ === 0 ? "" : ", ";
    const type = Object.hasOwn(this.#types, this.#key) ? this.#types[this.#key] : undefined;
    return `${gap}${JSON.stringify(this.#key)}: ${toJson(value, type)}`;
  }

  protected override missing(): string {
    if (this.#state === "cdata") {
      const text = this.unread.split(this.#syntax.memberEnd, 1)[0]!;
      return `${this.#json(text.replace(/\]\]>\s*$/, ""))}}`;
    }
    if (this.#state !== "value") return "}";
    const text = this.unread.trimEnd();
    const end = [this.#syntax.end, ...this.closeMarkers].find((tag) => text.endsWith(tag));
    return `${this.#json(this.#plain(end === undefined ? this.unread : text.slice(0, -end.length)))}}`;
  }
}

/** The JSON of a value that is written as plain text. */
function toJson(text: string, type: string | readonly string[] | undefined): string {
  const types = typeof type === "string" ? [type] : (type ?? []);
  if (types.includes("string")) {
    const isOther = types.includes("null") && /^(null|None)$/.test(text.trim());
    if (types.every((one) => one === "string" || one === "null"))
      return isOther ? "null" : JSON.stringify(text);
    if (!types.includes("null")) return JSON.stringify(text);
  }
  try {
    JSON.parse(text);
    return text.trim();
  } catch {
    return pythonJson(text.trim(), types) ?? JSON.stringify(text);
  }
}

/** Where a value of such a type is no JSON, models write it as Python does: `True`, `None`, `['a']`. */
function pythonJson(text: string, types: readonly string[]): string | undefined {
  const word = text.toLowerCase();
  if (types.includes("boolean") && (word === "true" || word === "false")) return word;
  if (types.includes("null") && (word === "null" || word === "none")) return "null";
  const opening = text[0];
  const isContainer =
    (opening === "{" && types.includes("object")) || (opening === "[" && types.includes("array"));
  if (!isContainer) return undefined;
  const literal = new PythonLiteral();
  const end = literal.push(text);
  return literal.status === "complete" && end === text.length ? literal.json : undefined;
}
