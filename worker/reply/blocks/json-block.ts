import type { CallFormat } from "../call-format.ts";
import { CallScanner } from "../scanners/call-scanner.ts";
import type { Block, BlockOptions, BlockSink } from "./block.ts";

type Place = "element" | "call" | "comma-or-end" | "close";

/** One call in JSON or a list of calls, up to the closing marker. */
export class JsonBlock implements Block {
  readonly #format: CallFormat;
  readonly #sink: BlockSink;
  readonly #newScanner: () => CallScanner;
  #place: Place = "element";
  #inList = false;
  #scanner: CallScanner | undefined;
  /** Text read since the start or the last call, and not emitted yet. */
  #raw = "";
  /** What may be a closing marker or a separator. */
  #ending = "";
  #hasCalls = false;
  #left = false;

  constructor({ format, sink, accepts, nameSuffices, isStrict }: BlockOptions) {
    this.#format = format;
    this.#sink = sink;
    const { isKeyed = false, keys = undefined } = format.body?.kind === "json" ? format.body : {};
    const options = { accepts, nameSuffices, isStrict, isKeyed, ...(keys ? { keys } : {}) };
    this.#newScanner = () => new CallScanner(sink, options);
  }

  get left(): boolean {
    return this.#left;
  }

  get rest(): string {
    return this.#raw;
  }

  get hasCalls(): boolean {
    return this.#hasCalls;
  }

  push(text: string): void {
    let at = 0;
    while (!this.#left && at < text.length) at = this.#read(text, at);
    if (this.#left) this.#raw += text.slice(at);
  }

  flush(): string {
    this.#left = true;
    if (this.#scanner?.started) this.#sink.onEnd();
    // A truncated closing marker is not text.
    const cut = this.#raw.replace(/^[}\]\s]+/, "").trim();
    const closes = this.hasCalls && [...this.#format.close, "]", ",", ""].some((one) => one.startsWith(cut));
    return closes ? "" : this.#raw;
  }

  #read(text: string, at: number): number {
    if (this.#place === "call") return this.#readCall(text, at);
    const char = text[at]!;
    this.#raw += char;
    if (this.#place === "close") this.#close(char);
    else if (!WHITE_SPACE.test(char)) this.#structure(char);
    return at + 1;
  }

  #structure(char: string): void {
    const isElement = this.#place === "element";
    if (char === "{") this.#enterCall(char);
    // Models leave out the first brace of a list, or a comma in it, or write one at its end.
    else if (isElement && this.#inList && char === '"') this.#enterCall(`{${char}`);
    else if (isElement && !this.#hasCalls) {
      this.#left = this.#inList || char !== "[";
      this.#inList = true;
    } else if (this.#inList && char === "]") {
      this.#place = "close";
      this.#inList = false;
      this.#raw = "";
    } else if (!isElement && char === ",") this.#place = "element";
    else if (isElement || char !== "}") {
      this.#place = "close";
      this.#close(char);
    }
  }

  #enterCall(text: string): void {
    this.#scanner = this.#newScanner();
    this.#scanner.push(text);
    this.#place = "call";
  }

  #readCall(text: string, at: number): number {
    const scanner = this.#scanner!;
    const next = scanner.push(text, at);
    this.#raw = scanner.started ? "" : this.#raw + text.slice(at, next);
    this.#hasCalls ||= scanner.started;
    if (scanner.status === "open") return next;
    this.#scanner = undefined;
    if (scanner.started) this.#sink.onEnd();
    // Small models forget the last brace, or write one too many, or a bracket.
    if (scanner.status === "invalid" && !scanner.isWhole) this.#left = true;
    this.#place = this.#inList ? "comma-or-end" : "close";
    return next;
  }

  /** After the last brace: the closing marker, another call, or the end of the block. */
  #close(char: string): void {
    const { close, separator } = this.#format;
    const mayEnd = close.some((one) => one.startsWith(char));
    if (this.#ending === "" && /[}\] \n\r\t]/.test(char) && !mayEnd) return;
    this.#ending += char;
    const ending = this.#ending;
    if (close.some((one) => one.startsWith(ending) && one !== ending)) return;
    this.#ending = "";
    if (close.includes(ending)) {
      this.#raw = "";
      this.#left = true;
    } else if (ending === separator || ending === ",") this.#place = "element";
    else if (ending === "{") this.#enterCall(char);
    else this.#left = true;
  }
}

const WHITE_SPACE = /[ \n\r\t]/;
