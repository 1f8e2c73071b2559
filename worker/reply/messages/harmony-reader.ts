import { CHANNEL, ENDS, MESSAGE, START, TOKENS } from "../../chat-template/reasoning/harmony.ts";
import { untilMarker } from "../find-marker.ts";
import type { ReasoningPiece } from "../reasoning-reader.ts";
import { JsonScanner } from "../scanners/json-scanner.ts";
import { type HarmonyHeader, readHeader, textInHeader } from "./harmony-header.ts";
import { LONGEST_HEADER, type MessagePiece, MessageText } from "./message-text.ts";

interface HarmonyOptions {
  /** The beginning of the message that the prompt ends with, after `<|start|>`. */
  begun: string;
  /** Tool names; messages to others are thoughts or text. */
  names: ReadonlySet<string>;
  /** Generates a call id. */
  mintId: () => string;
}

const BODY_MARKERS = [...ENDS, MESSAGE];
/** What a header may begin with, besides a role. */
const HEADER_STARTS = [...TOKENS, "to="];

/**
 * Reads a reply of messages with headers (`harmony.ts`): the channel `analysis` is thought, a message to a tool is a
 * call, everything else is text. Markers are dropped, except in a call's arguments. Text without a header is text.
 */
export class HarmonyReader {
  readonly #names: ReadonlySet<string>;
  readonly #mintId: () => string;
  #place: "header" | "reasoning" | "text" | "call" | "arguments" | "over" | "ended" = "header";
  /** The header so far. */
  #header: string;
  /** Whether the header may also turn out to be text, as no `<|start|>` begins it. */
  #mayBeText: boolean;
  readonly #text = new MessageText();
  /** Whether a space after the header belongs to it, as after each token of LLM-jp's. */
  #skipsSpace = false;
  #message: HarmonyHeader = { isOwn: true, channel: "text" };
  /** Of the arguments of the last call. */
  #scanner = new JsonScanner();
  #calls = 0;

  constructor({ begun, names, mintId }: HarmonyOptions) {
    this.#names = names;
    this.#mintId = mintId;
    this.#header = begun;
    this.#mayBeText = /^\s*\w*\s*$/.test(begun);
    const at = begun.indexOf(MESSAGE);
    if (at >= 0) this.#open(readHeader(begun.slice(0, at), names));
  }

  /** True while inside a thought, or its header. */
  get inside(): boolean {
    const isThought = (this.#header + this.#text.held).includes("analysis");
    return this.#place === "reasoning" || (this.#place === "header" && isThought);
  }

  /** Adds text of the reply and yields what is decided, in order and without empty parts. It must be read to its end. */
  *push(text: string): Generator<MessagePiece, void> {
    this.#text.add(text);
    let again = true;
    while (again && this.#text.held !== "") {
      if (this.#place === "header") again = yield* this.#readHeader();
      else if (this.#place === "call") again = yield* this.#enterCall();
      else if (this.#place === "arguments") again = yield* this.#readArguments();
      else again = this.#place !== "ended" && (yield* this.#readBody(this.#place));
    }
  }

  /**
   * Ends the reply, and returns what was held back.
   *
   * @param byModel whether the model ended it: then a call without arguments is whole
   */
  flush(byModel: boolean): MessagePiece[] {
    const isPlain = this.#isPlain(this.#text.held);
    if (!isPlain && this.#place === "header" && this.#openAtText(this.#text.held.length))
      return [...this.push(""), ...this.flush(byModel)];
    const place = isPlain ? "text" : this.#place;
    if (place === "arguments") return [this.#endCall()];
    if (place === "call" && byModel && this.#text.held.trim() === "") return this.#emptyCall();
    // The beginning of a marker at the end is text, as elsewhere.
    return place === "text" || place === "reasoning" ? [...this.#release(place, this.#text.held.length)] : [];
  }

  *#readHeader(): Generator<MessagePiece, boolean> {
    const { held } = this.#text;
    if (this.#isPlain(held) && !HEADER_STARTS.some((one) => one.startsWith(held.trim()))) {
      this.#begin("text");
      return true;
    }
    const { end: length, marker: found } = untilMarker(held, BODY_MARKERS);
    const left = Math.max(0, LONGEST_HEADER - this.#header.length);
    const isLong = length > left;
    if (found === undefined && !isLong) return false;
    this.#mayBeText = false;
    const marker = isLong ? undefined : found;
    const isOver = marker !== undefined && marker !== CHANNEL && marker !== MESSAGE;
    const end = isLong ? left : length;
    if ((isLong || isOver) && this.#openAtText(end)) return yield* this.#endIfOthers();
    this.#header += held.slice(0, end);
    this.#text.skip(end + (marker?.length ?? 0));
    if (marker === CHANNEL) this.#header += CHANNEL;
    else if (isOver) this.#next(marker);
    else this.#open(readHeader(this.#header, this.#names));
    return yield* this.#endIfOthers();
  }

  /** Ends the reply where the model writes another's message. */
  *#endIfOthers(): Generator<MessagePiece, true> {
    if (this.#place === "ended") yield { type: "results" };
    return true;
  }

  /** Opens a message without `<|message|>`, whose text is at the end of its header; false if there is none. */
  #openAtText(length: number): boolean {
    const header = this.#header + this.#text.held.slice(0, length);
    const end = length - textInHeader(header);
    if (end >= length || end < 0) return false;
    this.#header += this.#text.held.slice(0, end);
    this.#text.skip(end);
    this.#open(readHeader(this.#header, this.#names));
    return true;
  }

  /** Whether a header, as far as it goes, may be or is text. */
  #isPlain(held: string): boolean {
    const begun = held.trimStart();
    if (this.#place !== "header" || !this.#mayBeText || begun === "") return false;
    return !HEADER_STARTS.some((one) => begun.startsWith(one));
  }

  #open(header: HarmonyHeader): void {
    this.#message = header;
    this.#skipsSpace = this.#header.includes(`${CHANNEL} `);
    if (!header.isOwn) this.#place = "ended";
    else if (header.tool !== undefined) this.#place = "call";
    else this.#begin(header.channel);
  }

  #begin(kind: ReasoningPiece["kind"]): void {
    this.#place = kind;
    this.#text.begin(kind);
  }

  /** What follows the end of a message. */
  #next(marker: string): void {
    this.#place = "header";
    this.#header = marker === CHANNEL ? CHANNEL : "";
    this.#mayBeText = marker !== START && marker !== CHANNEL;
  }

  /** Reads a text or a thought; what is over is dropped, up to the marker. */
  *#readBody(place: "reasoning" | "text" | "over"): Generator<MessagePiece, boolean> {
    if (this.#skipsSpace && this.#text.held.startsWith(" ")) this.#text.skip(1);
    this.#skipsSpace = false;
    const { end, marker } = untilMarker(this.#text.held, BODY_MARKERS);
    if (place === "over") this.#text.skip(end);
    else yield* this.#release(place, end);
    if (marker === undefined) return false;
    this.#text.skip(marker.length);
    if (marker !== MESSAGE) this.#next(marker);
    return true;
  }

  /** Begins a call, or its text where that is no object. */
  *#enterCall(): Generator<MessagePiece, boolean> {
    this.#text.skip(/^\s*/.exec(this.#text.held)![0].length);
    const end = ENDS.find((marker) => this.#text.held.startsWith(marker));
    if (end === undefined && ENDS.some((marker) => marker.startsWith(this.#text.held))) return false;
    if (end !== undefined) yield* this.#emptyCall();
    else if (this.#text.held.startsWith("{")) yield this.#startCall();
    else this.#begin(this.#message.channel);
    return true;
  }

  *#readArguments(): Generator<MessagePiece, boolean> {
    const end = this.#scanner.push(this.#text.held);
    if (end > 0) yield this.#arguments(this.#text.held.slice(0, end));
    this.#text.skip(end);
    if (this.#scanner.status === "open") return false;
    yield this.#endCall();
    // As elsewhere, what follows invalid arguments is text.
    if (this.#scanner.status === "invalid") this.#begin("text");
    return true;
  }

  #startCall(): MessagePiece {
    this.#place = "arguments";
    this.#scanner = new JsonScanner();
    return { type: "tool-call-start", index: this.#calls++, id: this.#mintId(), name: this.#message.tool! };
  }

  #arguments(piece: string): MessagePiece {
    return { type: "tool-call-delta", index: this.#calls - 1, arguments: piece };
  }

  #endCall(): MessagePiece {
    this.#place = "over";
    return { type: "tool-call-end", index: this.#calls - 1 };
  }

  #emptyCall(): MessagePiece[] {
    return [this.#startCall(), this.#arguments("{}"), this.#endCall()];
  }

  *#release(kind: ReasoningPiece["kind"], length: number): Generator<ReasoningPiece, void> {
    if (length > 0) this.#text.mark(kind);
    yield* this.#text.release(kind, length);
  }
}
