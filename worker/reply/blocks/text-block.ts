import type { ParameterTypes } from "../call-format.ts";
import { untilMarker } from "../find-marker.ts";
import type { JsonScanner, JsonStatus } from "../scanners/json-scanner.ts";
import type { Block, BlockOptions, BlockSink } from "./block.ts";

/** What {@link TextBlock.step} did: made progress, needs more text, or found no (further) call. */
export type Step = "again" | "wait" | "leave";

/**
 * Base of readers for calls that are not JSON: it collects the text of a block and calls {@link step} until that needs
 * more. What was not emitted as a call is returned unchanged. A step that waits leaves little in the buffer, so that
 * the cost is linear however the text is split.
 */
export abstract class TextBlock implements Block {
  protected readonly accepts: (name: string) => boolean;
  protected readonly typesOf: (tool: string) => ParameterTypes;
  protected readonly isMarked: boolean;
  readonly #sink: BlockSink;
  protected readonly closeMarkers: readonly string[];
  /** Text that is not parsed yet. */
  protected buffer = "";
  /** Text since the beginning, or since what was emitted last. */
  #raw = "";
  /** What {@link takeBefore} has taken so far. */
  #taken = "";
  #calls = 0;
  #left = false;
  #isInCall = false;

  constructor({ format, sink, accepts, typesOf, isMarked }: BlockOptions) {
    this.accepts = accepts;
    this.typesOf = typesOf;
    this.isMarked = isMarked;
    this.#sink = sink;
    this.closeMarkers = format.close;
  }

  get left(): boolean {
    return this.#left;
  }

  get rest(): string {
    return this.#raw;
  }

  get hasCalls(): boolean {
    return this.#calls > 0;
  }

  protected get isInCall(): boolean {
    return this.#isInCall;
  }

  push(text: string): void {
    this.#raw += text;
    if (this.#left) return;
    this.buffer += text;
    this.read();
  }

  /** Parses as much of {@link buffer} as can be decided; what is no call any more ends as the reply does. */
  protected read(byModel = true): void {
    let step: Step;
    do step = this.step();
    while (step === "again");
    if (step === "leave") this.#leave(byModel);
  }

  flush(byModel: boolean): string {
    const wasInCall = this.#isInCall;
    if (!this.#left) this.atEnd(byModel);
    this.#leave(byModel);
    if (!this.hasCalls) return this.#raw;
    const cut = this.#raw.trim();
    return wasInCall || [...this.closeMarkers, ","].some((one) => one.startsWith(cut)) ? "" : this.#raw;
  }

  /** Parses the beginning of {@link buffer}. */
  protected abstract step(): Step;

  /** Reads what waited for more text, at the end of the reply. */
  protected atEnd(_byModel: boolean): void {}

  /** What the arguments lack where the model breaks a call off. */
  protected missing(): string {
    return "";
  }

  protected start(name: string): void {
    this.#calls++;
    this.#isInCall = true;
    this.settle();
    this.#sink.onStart(name);
  }

  /** What was taken from the buffer belongs to a call, and is no text of the reply. */
  protected settle(): void {
    this.#raw = this.buffer;
  }

  protected emit(piece: string): void {
    this.settle();
    this.#sink.onArguments(piece);
  }

  protected end(): void {
    this.settle();
    this.#endCall();
  }

  /** Removes white space from the beginning of the buffer. */
  protected skipSpace(): void {
    this.buffer = this.buffer.replace(/^[ \n\r\t]+/, "");
  }

  /** Removes `text` from the beginning of the buffer; `undefined` if more text is needed to tell. */
  protected take(text: string): boolean | undefined {
    if (this.buffer.startsWith(text)) {
      this.buffer = this.buffer.slice(text.length);
      return true;
    }
    return text.startsWith(this.buffer) ? undefined : false;
  }

  /** Removes the text up to `end`, and `end`, and returns that text; `undefined` if `end` is not there yet. */
  protected takeUntil(end: string): string | undefined {
    const found = this.takeBefore([end]);
    if (found) this.take(end);
    return found?.text;
  }

  /** Removes and returns the text before the first of `ends`; `undefined` if there is none yet. */
  protected takeBefore(ends: readonly string[]): { text: string; end: string } | undefined {
    const { end, marker } = untilMarker(this.buffer, ends);
    const text = this.#taken + this.buffer.slice(0, end);
    this.buffer = this.buffer.slice(end);
    this.#taken = marker === undefined ? text : "";
    return marker === undefined ? undefined : { text, end: marker };
  }

  /** Emits what the buffer has of a JSON object. @returns whether the object is complete, open or invalid */
  protected emitJson(scanner: JsonScanner): JsonStatus {
    const end = scanner.push(this.buffer);
    const piece = this.buffer.slice(0, end);
    this.buffer = this.buffer.slice(end);
    if (piece !== "") this.emit(piece);
    return scanner.status;
  }

  /** All text that is not parsed yet. */
  protected get unread(): string {
    return this.#taken + this.buffer;
  }

  /** After a call: the closing marker ends the block, anything else but white space too. */
  protected close(): Step {
    this.skipSpace();
    const marker = this.closeMarkers.find((one) => this.buffer.startsWith(one));
    if (marker !== undefined) {
      this.buffer = this.buffer.slice(marker.length);
      this.settle();
      return "leave";
    }
    const mayClose = this.buffer === "" || this.closeMarkers.some((one) => one.startsWith(this.buffer));
    return mayClose ? "wait" : "leave";
  }

  #leave(completes: boolean): void {
    this.#left = true;
    const missing = completes && this.#isInCall ? this.missing() : "";
    if (missing !== "") this.#sink.onArguments(missing);
    this.#endCall();
  }

  #endCall(): void {
    if (!this.#isInCall) return;
    this.#isInCall = false;
    this.#sink.onEnd();
  }
}
