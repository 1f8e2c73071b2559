import type { BlockOptions } from "./call-block.ts";
import type { ParameterTypes } from "./call-format.ts";
import { PythonLiteral } from "./python-literal.ts";
import { type Step, TextBlock } from "./text-block.ts";

const END = "</function>";
const MEMBER = "<parameter=";
const MEMBER_END = "</parameter>";

/**
 * Calls of Qwen3-Coder and Qwen3.5: `<function=name><parameter=key>value</parameter></function>`. Values are raw text,
 * so the tool's schema decides whether `5` is a number or text. Models leave closing tags out: a call that the model
 * ended has whole arguments all the same.
 */
export class XmlBlock extends TextBlock {
  #state: "function" | "name" | "member" | "key" | "value" | "close" = "function";
  #types: ParameterTypes = {};
  #key = "";
  #members = 0;
  readonly #valueEnds: readonly string[];

  constructor(options: BlockOptions) {
    super(options);
    // vLLM ends a value at the first of these tags wherever it stands. Here the tags of what follows only count where
    // the template writes them, at the start of a line, or where the call ends too: a value may be code with such text.
    const follow = [MEMBER, END, ...this.closeMarkers].map((tag) => `\n${tag}`);
    const ends = this.closeMarkers.flatMap((tag) => [END + tag, `${END}\n${tag}`]);
    this.#valueEnds = [MEMBER_END, ...follow, ...ends];
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
      case "close":
        return this.close();
    }
  }

  #function(): Step {
    this.skipSpace();
    const found = this.take("<function=");
    if (found === undefined) return "wait";
    this.#state = "name";
    return found ? "again" : "leave";
  }

  #name(): Step {
    const name = this.takeUntil(">")?.trim();
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
    const isEnd = this.take(END) || this.closeMarkers.some((tag) => this.buffer.startsWith(tag));
    if (isEnd) {
      this.emit("}");
      this.end();
      this.#state = "close";
      return "again";
    }
    const isMember = this.take(MEMBER);
    if (isMember) {
      this.#state = "key";
      return "again";
    }
    return [END, MEMBER, ...this.closeMarkers].some((tag) => tag.startsWith(this.buffer)) ? "wait" : "leave";
  }

  #readKey(): Step {
    const key = this.takeUntil(">")?.trim();
    if (key === undefined) return "wait";
    this.#key = key;
    this.#state = "value";
    return "again";
  }

  #value(): Step {
    const found = this.takeBefore(this.#valueEnds);
    if (found === undefined) return "wait";
    this.take(MEMBER_END);
    this.emit(this.#json(found.end.startsWith("\n") ? `${found.text}\n` : found.text));
    this.#state = "member";
    return "again";
  }

  #json(text: string): string {
    // The template writes each value on lines of its own.
    const value = text.replace(/^\r?\n/, "").replace(/\r?\n$/, "");
    const gap = this.#members++ === 0 ? "" : ", ";
    const type = Object.hasOwn(this.#types, this.#key) ? this.#types[this.#key] : undefined;
    return `${gap}${JSON.stringify(this.#key)}: ${toJson(value, type)}`;
  }

  protected override missing(): string {
    if (this.#state !== "value") return "}";
    const text = this.unread.trimEnd();
    const end = [END, ...this.closeMarkers].find((tag) => text.endsWith(tag));
    return `${this.#json(end === undefined ? this.unread : text.slice(0, -end.length))}}`;
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
