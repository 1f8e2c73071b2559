import { isObject } from "../../../src/shared/is-object.ts";
import type { CallKeys } from "../call-format.ts";
import type { JsonStatus } from "./json-scanner.ts";
import { ObjectScanner } from "./object-scanner.ts";

/** Receives a scanned call: first its name, then its arguments as generated. */
export interface CallSink {
  onStart(name: string): void;
  onArguments(piece: string): void;
}

const NAMES = new Set(["name", "tool_name"]);
const ARGUMENTS = new Set(["arguments", "parameters", "args"]);
/** Allowed members of a call; any other member means the object is not a call. */
const MEMBERS = new Set([...NAMES, ...ARGUMENTS, "id", "tool_call_id", "type", "function"]);

interface ScannerOptions {
  /** False for a name that is not a tool's: then the object is not a call. */
  accepts: (name: string) => boolean;
  /** Whether an object without `arguments` counts as a call with none. */
  nameSuffices: boolean;
  /** Whether the arguments must be called `arguments`. */
  isStrict: boolean;
  /** Whether the object's only key is the name. @default false */
  isKeyed?: boolean;
  /** Keys beyond the usual ones. @default none */
  keys?: CallKeys;
  /** Whether it is the `function` of another object, and so has none itself. @default false */
  isInner?: boolean;
}

/** Streaming scanner of one `{"name": …, "arguments": {…}}`, with members in any order, or of one `{"f": {…}}`. */
export class CallScanner {
  readonly #sink: CallSink;
  readonly #options: ScannerOptions;
  readonly #object: ObjectScanner;
  #member = "";
  #value = "";
  /** The call within `{"type": "function", "function": {…}}`. */
  #inner: CallScanner | undefined;
  #isInnerBegun = false;
  #innerEnded = false;
  #name: string | undefined;
  /** Arguments before the name, or not yet known to be an object. */
  #waiting = "";
  #started = false;
  #hasArguments = false;
  #argumentsEnded = false;
  #invalid = false;

  constructor(sink: CallSink, options: ScannerOptions) {
    this.#sink = sink;
    this.#options = options;
    this.#object = new ObjectScanner({
      onKey: (key) => this.#onKey(key),
      onValue: (piece) => this.#onValue(piece),
      onValueEnd: () => this.#onValueEnd(),
    });
  }

  get status(): JsonStatus {
    return this.#invalid ? "invalid" : this.#object.status;
  }

  /** True once the name was emitted: then the object counts as a call. */
  get started(): boolean {
    return this.#started;
  }

  /** Whether a call's arguments are complete, whatever follows them. */
  get isWhole(): boolean {
    return this.#started && (this.#argumentsEnded || this.#inner?.isWhole === true);
  }

  get name(): string | undefined {
    return this.#name;
  }

  /** Scans `text` from `from`; returns the index after the last character of the call. */
  push(text: string, from = 0): number {
    const at = this.#object.push(text, from);
    if (this.status === "complete" && !this.#started) this.#startBare();
    return at;
  }

  #startBare(): void {
    const { isInner, nameSuffices } = this.#options;
    // The arguments of an inner call may follow outside it.
    if (isInner && this.#name !== undefined && !this.#hasArguments) return;
    if (this.#name === undefined || !nameSuffices || this.#hasArguments) this.#invalid = true;
    else this.#start("{}");
  }

  #onKey(written: string): void {
    const { accepts, isInner, isKeyed, isStrict, keys } = this.#options;
    if (isKeyed) {
      this.#onTool(written);
      return;
    }
    const key = keys ? usualKey(written, keys) : written;
    this.#member = key;
    this.#value = "";
    const isAgain = ARGUMENTS.has(key) ? this.#hasArguments : NAMES.has(key) && this.#name !== undefined;
    const isOther = ARGUMENTS.has(key) && key !== "arguments";
    const isBarred = (isInner && key === "function") || (isStrict && isOther);
    const isKnown = MEMBERS.has(key) && !isBarred;
    if ((!isKnown || isAgain) && !this.#started) this.#invalid = true;
    if (isAgain) this.#member = "";
    if (key === "function" && isKnown && !this.#started)
      this.#inner = new CallScanner(this.#sink, {
        accepts,
        nameSuffices: !isStrict,
        isStrict,
        isInner: true,
      });
  }

  #onTool(name: string): void {
    const isCall = this.#name === undefined && this.#options.accepts(name);
    this.#member = isCall ? "arguments" : "";
    if (isCall) this.#name = name;
    else if (!this.#started) this.#invalid = true;
  }

  #onValue(piece: string): void {
    if (ARGUMENTS.has(this.#member)) this.#onArguments(piece);
    else if (NAMES.has(this.#member)) this.#value += piece;
    else if (this.#member === "function") this.#onFunction(piece);
  }

  /** An object with a call, or the name alone, as Granite 3.0 and small Llamas write it. */
  #onFunction(piece: string): void {
    if (!this.#isInnerBegun && piece.startsWith('"') && this.#name === undefined) {
      this.#inner = undefined;
      this.#member = "name";
      this.#value = piece;
    } else this.#onInner(piece);
    this.#isInnerBegun = true;
  }

  #onInner(piece: string): void {
    const inner = this.#inner;
    if (!inner || this.#innerEnded || this.#invalid) return;
    inner.push(piece);
    this.#started ||= inner.started;
    this.#innerEnded = inner.status !== "open";
    if (inner.status === "complete" && !inner.started) {
      this.#name = inner.name;
      if (this.#hasArguments) this.#startIfNamed();
    }
    if (inner.status === "invalid") this.#invalid = true;
  }

  #onArguments(piece: string): void {
    this.#hasArguments = true;
    if (this.#started) this.#sink.onArguments(piece);
    else this.#waiting += piece;
    // Arguments may be a JSON string, as at OpenAI: decoded once complete.
    if (this.#waiting.startsWith("{")) this.#startIfNamed();
    else if (!this.#started && !/^["n]/.test(this.#waiting)) this.#invalid = true;
  }

  #onValueEnd(): void {
    if (ARGUMENTS.has(this.#member)) this.#argumentsEnded = true;
    if (NAMES.has(this.#member)) this.#onName();
    else if (ARGUMENTS.has(this.#member) && !this.#started) this.#onWaitingArguments();
  }

  #onName(): void {
    const name: unknown = JSON.parse(this.#value);
    if (typeof name !== "string" || name === "" || !this.#options.accepts(name)) this.#invalid = true;
    else {
      this.#name = name;
      if (this.#hasArguments) this.#startIfNamed();
    }
  }

  #onWaitingArguments(): void {
    if (this.#waiting.startsWith("{")) return;
    const decoded: unknown = JSON.parse(this.#waiting);
    const text = decoded === null || decoded === "" ? "{}" : String(decoded);
    if (!isObjectText(text)) this.#invalid = true;
    else {
      this.#waiting = text;
      this.#startIfNamed();
    }
  }

  #startIfNamed(): void {
    if (this.#name !== undefined) this.#start(this.#waiting);
  }

  #start(text: string): void {
    if (this.#invalid) return;
    this.#started = true;
    this.#sink.onStart(this.#name!);
    this.#sink.onArguments(text);
    this.#waiting = "";
  }
}

function usualKey(key: string, { name, arguments: args, others }: CallKeys): string {
  if (key === name) return "name";
  if (key === args) return "arguments";
  return others.includes(key) ? "type" : key;
}

function isObjectText(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}
