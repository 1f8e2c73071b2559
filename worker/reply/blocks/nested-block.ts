import { MAX_LEVELS, PATH_GAP, type ParameterTypes, typesNamed } from "../call-format.ts";
import { toJson } from "../scanners/plain-value.ts";
import type { BlockOptions } from "./block.ts";
import { NestedNames, TagNames } from "./tag-names.ts";
import { type Step, TextBlock } from "./text-block.ts";

/** More than the characters of a tag, without a parameter's name. */
const LONGEST_TAG = 256;
const CALL = "invoke";

interface Element {
  name: string;
  text: string;
  /** Names and JSON of what it holds. */
  members: [name: string, json: string][];
}

/**
 * Calls of MiniMax M3: `<invoke name="f"><key>text</key><list><item>1</item></list></invoke>`, with a token before each
 * tag. Values are raw text, so the tool's schema decides whether `5` is a number or text, at every depth. An argument is
 * emitted when its element ends.
 */
export class NestedBlock extends TextBlock {
  readonly #token: string;
  #state: "call" | "name" | "text" | "tag" | "close" = "call";
  #types: ParameterTypes = {};
  #names = new NestedNames({});
  /** What is open, the innermost last. */
  readonly #open: Element[] = [];
  #arguments = 0;

  constructor(options: BlockOptions, token: string) {
    super(options);
    this.#token = token;
  }

  protected step(): Step {
    switch (this.#state) {
      case "call":
        return this.#call();
      case "name":
        return this.#name();
      case "text":
        return this.#text();
      case "tag":
        return this.#tag();
      case "close":
        return this.close();
    }
  }

  #call(): Step {
    this.skipSpace();
    const found = this.take(`${this.#token}<${CALL} name="`);
    if (found === undefined) return "wait";
    this.#state = "name";
    return found ? "again" : "leave";
  }

  #name(): Step {
    const name = this.takeUntil('">')?.trim();
    if (name === undefined) return this.unread.length > LONGEST_TAG ? "leave" : "wait";
    if (!this.accepts(name)) return "leave";
    this.start(name);
    this.#types = this.typesOf(name);
    this.#names = new NestedNames(this.#types);
    this.emit("{");
    this.#state = "text";
    return "again";
  }

  #text(): Step {
    const found = this.takeBefore([this.#token]);
    if (!found) return "wait";
    const top = this.#open.at(-1);
    if (top) top.text += found.text;
    this.#state = "tag";
    return "again";
  }

  #tag(): Step {
    const longest = LONGEST_TAG + this.#names.longest;
    const tag = this.buffer.slice(this.#token.length, this.#token.length + longest);
    const isCut = tag.length < longest;
    if (!tag.includes(">")) return isCut ? "wait" : "leave";
    const [begun, slash] = /^\s*<(\/?)/.exec(tag) ?? [];
    if (begun === undefined) return "leave";
    const names = slash ? new TagNames(this.#open.map((one) => one.name)) : this.#names.at(this.#path);
    const read = names.read(tag.slice(begun.length));
    if (!read) return read === undefined && isCut ? "wait" : "leave";
    this.buffer = this.buffer.slice(this.#token.length + begun.length + read.length);
    this.#state = "text";
    if (slash) return this.#closes(read.name);
    if (this.#open.length === MAX_LEVELS) return "leave";
    this.#open.push({ name: read.name, text: "", members: [] });
    return "again";
  }

  /** The path of the innermost open element. */
  get #path(): string {
    return this.#open.map((one) => one.name).join(PATH_GAP);
  }

  #closes(name: string): Step {
    const at = this.#open.findLastIndex((one) => one.name === name);
    // Models leave closing tags out.
    if (at >= 0) this.#emitAll(at);
    else if (this.closeMarkers.includes(`${this.#token}</${name}>`) || name === CALL) {
      this.emit(`${this.#rest()}}`);
      this.end();
      if (name !== CALL) return "leave";
      this.#state = "close";
    }
    return "again";
  }

  #emitAll(from: number): void {
    const member = this.#close(from);
    if (member !== "") this.emit(member);
  }

  /** What is left of the arguments. */
  #rest(): string {
    return this.#open.length === 0 ? "" : this.#close(0);
  }

  /** Closes elements, down to the one at `from`; returns the argument that ends with them, if one does. */
  #close(from: number): string {
    for (;;) {
      const path = this.#path;
      const element = this.#open.pop()!;
      const json = this.#json(element, path);
      const parent = this.#open.at(-1);
      if (!parent) return `${this.#arguments++ === 0 ? "" : ", "}${JSON.stringify(element.name)}: ${json}`;
      parent.members.push([element.name, json]);
      if (this.#open.length === from) return "";
    }
  }

  #json({ text, members }: Element, path: string): string {
    const types = typesNamed(path, this.#types);
    const isList = types.includes("array") && !types.includes("object");
    if (members.length === 0) {
      const isEmpty = text.trim() === "" && !types.includes("string");
      if (isEmpty && isList) return "[]";
      if (isEmpty && types.includes("object")) return "{}";
      // The template writes nothing for null.
      return isEmpty && types.includes("null") ? "null" : toJson(text, types);
    }
    const isItems = !types.includes("object") && members.every(([name]) => name === "item");
    if (isList || isItems) return `[${members.map(([, json]) => json).join(", ")}]`;
    const all = new Map<string, string[]>();
    for (const [name, json] of members) {
      if (all.has(name)) all.get(name)!.push(json);
      else all.set(name, [json]);
    }
    const fields = Array.from(all, ([name, values]) => {
      return `${JSON.stringify(name)}: ${values.length === 1 ? values[0] : `[${values.join(", ")}]`}`;
    });
    return `{${fields.join(", ")}}`;
  }

  protected override missing(): string {
    const top = this.#open.at(-1);
    if (top && this.#state === "text") top.text += this.unread;
    return `${this.#rest()}}`;
  }
}
