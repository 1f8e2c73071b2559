import type { NamedSyntax } from "../call-format.ts";
import { untilMarker } from "../find-marker.ts";
import { JsonScanner } from "../scanners/json-scanner.ts";
import type { BlockOptions } from "./block.ts";
import { type Step, TextBlock } from "./text-block.ts";

/**
 * Calls of a name, sometimes an id, and a JSON object: Mistral's `name[CALL_ID]123456789[ARGS]{…}`, Kimi's
 * `functions.name:0<|tool_call_argument_begin|>{…}`, DeepSeek's `function<｜tool▁sep｜>name\n```json\n{…}\n``` `.
 */
export class NamedBlock extends TextBlock {
  readonly #syntax: NamedSyntax;
  readonly #callEnds: readonly string[];
  #state: "before" | "name" | "arguments" | "after" | "close" = "before";
  #scanner = new JsonScanner();
  #hasBegun = false;
  /** More than the characters of a tool's name and of the markers after it. */
  static readonly #longestName = 256;

  constructor(options: BlockOptions, syntax: NamedSyntax) {
    super(options);
    this.#syntax = syntax;
    // The next call may follow a name without arguments.
    this.#callEnds = [...options.format.close, ...options.format.open];
  }

  protected step(): Step {
    switch (this.#state) {
      case "before":
        return this.#syntax.name === undefined ? this.#text(this.#syntax.before, "name") : this.#id();
      case "name":
        return this.#mayHoldName() ? this.#name() : "leave";
      case "arguments":
        return this.#arguments();
      case "after":
        return this.#text(this.#syntax.after, "close");
      case "close":
        return this.close();
    }
  }

  #text(text: string, next: "name" | "close"): Step {
    this.skipSpace();
    const found = text === "" ? true : this.take(text.trimStart());
    if (found === undefined) return "wait";
    if (!found && next === "close") return "leave";
    if (next === "close") this.end();
    this.#state = next;
    return "again";
  }

  /** An id before the name. */
  #id(): Step {
    this.skipSpace();
    const marker = this.#syntax.name!;
    const { end, marker: found } = untilMarker(this.buffer, [marker]);
    if (!/^[\w.-]{0,128}\s{0,8}$/.test(this.buffer.slice(0, end))) return "leave";
    if (found === undefined) return "wait";
    this.buffer = this.buffer.slice(end + marker.length);
    this.#state = "name";
    return "again";
  }

  #name(): Step {
    // Mistral's models may leave out what is between (vLLM's parser reads both).
    const alone = /^([\w.-]+)\s*(?=\{)/.exec(this.buffer);
    if (alone && this.accepts(alone[1]!)) return this.#startCall(alone[1]!, alone[0].length);
    // Only the object tells a call from a text that begins with the name.
    if (this.#syntax.between.trim() === "") return /^[\w.-]*\s*$/.test(this.buffer) ? "wait" : "leave";
    const [begun = "", only = ""] = /^([\w.-]+)\s*/.exec(this.buffer) ?? [];
    const rest = this.buffer.slice(begun.length);
    if (rest !== "" && this.accepts(only)) {
      if (this.#callEnds.some((end) => rest.startsWith(end))) return this.#startCall(only, begun.length);
      if (this.#callEnds.some((end) => end.startsWith(rest))) return "wait";
    }
    const { between, id: idMarker = between } = this.#syntax;
    const { end, marker } = untilMarker(this.buffer, [between]);
    const [named = "", id = ""] = this.buffer.slice(0, end).split(idMarker, 2);
    if (!/^[\w-]*$/.test(id.trim())) return "leave";
    const name = named.trim();
    if (marker === undefined)
      return /^[\w.-]*$/.test(name.slice(0, untilMarker(name, [idMarker]).end)) ? "wait" : "leave";
    if (!this.accepts(name)) return "leave";
    return this.#startCall(name, end + between.length);
  }

  #startCall(name: string, length: number): Step {
    this.buffer = this.buffer.slice(length);
    this.start(name);
    this.#state = "arguments";
    return "again";
  }

  /** Keeps the text that is searched for a name short. */
  #mayHoldName(): boolean {
    this.skipSpace();
    return (
      this.buffer.length < NamedBlock.#longestName ||
      this.buffer.slice(0, NamedBlock.#longestName).includes(this.#syntax.between)
    );
  }

  #arguments(): Step {
    if (!this.#hasBegun) {
      // White space before the object is not part of it.
      this.skipSpace();
      const ends = [this.#syntax.after.trimStart(), ...this.#callEnds].filter((end) => end !== "");
      if (ends.some((end) => this.buffer.startsWith(end))) {
        this.emit("{}");
        return this.#endArguments();
      }
      if (ends.some((end) => end.startsWith(this.buffer))) return "wait";
    }
    this.#hasBegun ||= this.buffer !== "";
    const status = this.emitJson(this.#scanner);
    if (status === "invalid") return "leave";
    return status === "open" ? "wait" : this.#endArguments();
  }

  #endArguments(): Step {
    if (this.#syntax.after === "") this.end();
    this.#state = this.#syntax.after === "" ? "close" : "after";
    return "again";
  }

  /** A call that ends without an object has no arguments. */
  protected override missing(): string {
    return this.#state === "arguments" && !this.#hasBegun && this.buffer === "" ? "{}" : "";
  }
}
