import type { CallFormat, ParameterTypes } from "./call-format.ts";
import { CallScanner, type CallSink } from "./call-scanner.ts";

/** Receives the calls of a block. */
export interface BlockSink extends CallSink {
  onEnd(): void;
}

export interface BlockOptions {
  format: CallFormat;
  sink: BlockSink;
  /** False for a name that is not a tool's: then there is no call. */
  accepts: (name: string) => boolean;
  /** Whether a known name without arguments counts as a call. */
  nameSuffices: boolean;
  /** Whether arguments must be called `arguments`. */
  isStrict: boolean;
  /** Whether a marker opened the block, which ordinary text has none of. */
  isMarked: boolean;
  typesOf: (tool: string) => ParameterTypes;
}

type Place = "element" | "call" | "comma-or-end" | "close";

/**
 * Reads what follows an opening marker: one call or a JSON list of calls, up to the closing marker. It reads until
 * {@link left}; then {@link rest} is the text after it.
 */
export class CallBlock {
  readonly #format: CallFormat;
  readonly #sink: BlockSink;
  readonly #accepts: (name: string) => boolean;
  readonly #nameSuffices: boolean;
  readonly #isStrict: boolean;
  readonly #isKeyed: boolean;
  #place: Place = "element";
  #inList = false;
  #scanner: CallScanner | undefined;
  /** Text read since the start or the last call, and not emitted yet. */
  #raw = "";
  /** What may be a closing marker or a separator. */
  #ending = "";
  #calls = 0;
  #left = false;

  constructor({ format, sink, accepts, nameSuffices, isStrict }: BlockOptions) {
    this.#format = format;
    this.#sink = {
      ...sink,
      onStart: (name) => {
        this.#calls++;
        sink.onStart(name);
      },
    };
    this.#accepts = accepts;
    this.#nameSuffices = nameSuffices;
    this.#isStrict = isStrict;
    this.#isKeyed = format.body?.kind === "json" && format.body.isKeyed === true;
  }

  get left(): boolean {
    return this.#left;
  }

  /** The text after the block; without a call, all of its text except the marker. */
  get rest(): string {
    return this.#raw;
  }

  /** True once a call of this block was emitted. */
  get hasCalls(): boolean {
    return this.#calls > 0;
  }

  push(text: string): void {
    let at = 0;
    while (!this.#left && at < text.length) at = this.#read(text, at);
    if (this.#left) this.#raw += text.slice(at);
  }

  /** Ends the reply. Returns what turned out to be text. */
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
    else if (isElement && this.#calls === 0) {
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
    const [isStrict, isKeyed] = [this.#isStrict, this.#isKeyed];
    this.#scanner = new CallScanner(this.#sink, this.#accepts, { isStrict, isKeyed });
    this.#scanner.push(text, 0, this.#nameSuffices);
    this.#place = "call";
  }

  #readCall(text: string, at: number): number {
    const scanner = this.#scanner!;
    const next = scanner.push(text, at, this.#nameSuffices);
    this.#raw = scanner.started ? "" : this.#raw + text.slice(at, next);
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
    if (this.#ending === "" && /[}\] \n\r\t]/.test(char)) return;
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
