import type { Block } from "./blocks/block.ts";
import { openBlock } from "./blocks/open-block.ts";
import type { CallFormat, ParameterTypes } from "./call-format.ts";
import { EchoedCalls } from "./echoed-calls.ts";
import { partsOf, untilMarker } from "./find-marker.ts";
import { beginningOf } from "./reply-beginning.ts";
import { strayTagLength } from "./stray-tag.ts";
import { ToolEvents, type ToolReaderEvent } from "./tool-events.ts";
import { endOfText } from "./white-space.ts";

export interface ToolReaderOptions {
  format: CallFormat;
  /** Generates a call id: `call_` and 24 letters and digits. */
  mintId: () => string;
  /** Tool names; objects with another name are text. @default any name */
  names?: ReadonlySet<string>;
  /** JSON types of a tool's parameters, for formats that write them as plain text. @default unknown */
  typesOf?: (tool: string) => ParameterTypes;
  /** Whether the reply is constrained to calls, as with `tool_choice: "required"`; then markers are optional. */
  constrained?: boolean;
}

/**
 * Streams tool calls from a reply: first the name, once known to be a tool's, then the arguments. Everything else is
 * unchanged text, including markers without a call and other JSON. A started call stays a call; if its arguments
 * become invalid, what follows is text. White space before, between and after calls is dropped.
 */
export class ToolCallReader {
  readonly #options: ToolReaderOptions;
  readonly #events: ToolEvents;
  /** Closing markers that do not begin text, as a fence may. */
  readonly #close: readonly string[];
  readonly #echoes: EchoedCalls;
  #block: Block | undefined;
  /** The opening marker of the block, and the white space before it. */
  #opening = "";
  /** White space that may precede a call. */
  #space = "";
  /** Text that may be the start of a marker, after the white space. */
  #held = "";
  /** Only white space so far, so JSON without a marker may be a call. */
  #atBeginning = true;
  /** Only white space since the last call. */
  #lastWasCall = false;
  /** Whether the block is of a kind that only begins a reply. */
  #isUnmarked = false;
  /** Whether the marker around all calls, or that of a block, has opened and not closed. */
  #isInList = false;
  #isInBlock = false;

  constructor(options: ToolReaderOptions) {
    this.#options = options;
    this.#events = new ToolEvents(options.mintId);
    this.#close = options.format.close.filter((one) => one !== FENCE);
    this.#echoes = new EchoedCalls(this.#close);
  }

  /** Whether the text so far ends inside a call. */
  get inCall(): boolean {
    return this.#events.inCall;
  }

  /** Whether the marker that ends the calls is still to come. */
  get awaitsEnd(): boolean {
    return this.#isInList || this.#isInBlock;
  }

  /** Number of started calls. */
  get calls(): number {
    return this.#events.calls;
  }

  /** Adds text of the reply and returns what is decided. In parts: a block without a call is read again. */
  push(text: string): ToolReaderEvent[] {
    for (const part of partsOf(text)) {
      this.#events.add(part.length);
      this.#take(part);
    }
    return this.#events.drain();
  }

  /**
   * Ends the reply and an open call; text held back is returned as text.
   *
   * @param byModel whether the model ended the reply
   */
  flush(byModel = false): ToolReaderEvent[] {
    while (this.#block) this.#take(this.#leaveBlock(this.#block, this.#block.flush(byModel)));
    if (!this.#lastWasCall || endOfText(this.#held) > 0) this.#emitText(this.#takeSpace() + this.#held, 0);
    this.#space = "";
    this.#held = "";
    return this.#events.drain();
  }

  #take(text: string): void {
    let pending = text;
    while (pending !== "") {
      if (!this.#block) pending = this.#takeText(pending);
      else {
        this.#echoes.add(pending);
        this.#block.push(pending);
        pending = this.#block.left ? this.#leaveBlock(this.#block, this.#block.rest) : "";
      }
    }
  }

  /** Reads text outside of calls. Each step returns what is left to read, or undefined if it takes nothing. */
  #takeText(text: string): string {
    const whole = this.#held + text;
    this.#held = "";
    const begun = whole.replace(/^[ \n\r\t]+/, "");
    return (
      (this.#lastWasCall && begun !== "" ? this.#takeAfterCall(whole, begun) : undefined) ??
      (this.#atBeginning ? this.#takeBeginning(whole, begun) : undefined) ??
      this.#takeToMarker(whole)
    );
  }

  /** Results of tools; a closing tag; or the calls or their closing marker once more (as in Ollama's parser of Gemma 4). */
  #takeAfterCall(whole: string, begun: string): string | undefined {
    const { adjacentResults: results } = this.#options.format;
    if (results !== undefined && this.#space === "" && whole.startsWith(results)) return this.#dropResults();
    const marker = this.#close.find((one) => begun.startsWith(one));
    const echo = marker?.length ?? this.#echoes.lengthIn(begun);
    if (marker !== undefined) this.#isInBlock = false;
    const length = echo === 0 ? strayTagLength(begun, this.#options.format.around) : echo;
    if (length) {
      this.#space = "";
      return begun.slice(length);
    }
    return length === undefined || this.#close.some((one) => one.startsWith(begun))
      ? this.#hold(whole)
      : undefined;
  }

  /** What a reply may begin with in place of a marker. */
  #takeBeginning(whole: string, begun: string): string | undefined {
    const beginning = beginningOf(begun, this.#options);
    if (!beginning) return undefined;
    if (beginning.kind === "open") return this.#hold(whole);
    const rest = begun.slice(beginning.marker.length);
    if (beginning.kind === "text") {
      this.#atBeginning = false;
      this.#space = "";
      return rest;
    }
    const space = this.#takeSpace() + whole.slice(0, whole.length - begun.length);
    return this.#enterBlock(space + beginning.marker, rest, beginning.isStrict);
  }

  /** Text up to a marker, and the marker. */
  #takeToMarker(whole: string): string {
    const { open, around = [], inline = [], results = [], beginsText = "" } = this.#options.format;
    const ends = this.calls > 0 ? results : [];
    const { end, marker } = untilMarker(whole, [...open, ...around, ...inline, ...ends]);
    const cut = endOfText(whole.slice(0, end));
    if (cut > 0) this.#emitText(this.#takeSpace() + whole.slice(0, cut), whole.length - cut);
    const space = whole.slice(cut, end);
    if (marker === undefined) {
      this.#space += space;
      return this.#hold(whole.slice(end));
    }
    if (ends.includes(marker)) return this.#dropResults();
    const after = whole.slice(end + marker.length);
    if (around.includes(marker)) {
      // After calls it is dropped, before calls it is like white space: text where no call follows.
      this.#isInList = !this.#lastWasCall;
      this.#space = this.#isInList ? this.#space + space + marker : "";
      return after;
    }
    this.#space += space;
    if (beginsText !== "" && after.startsWith(beginsText)) {
      this.#space = "";
      return after.slice(beginsText.length);
    }
    if (beginsText !== "" && beginsText.startsWith(after)) return this.#hold(whole.slice(end));
    if (inline.includes(marker)) return this.#enterBlock(this.#takeSpace(), marker + after);
    return this.#enterBlock(this.#takeSpace() + marker, after);
  }

  /** Keeps text until more of it is known. */
  #hold(text: string): "" {
    this.#held = text;
    return "";
  }

  /** What a model writes as results of its calls ends the reply. */
  #dropResults(): "" {
    this.#space = "";
    this.#events.results();
    return "";
  }

  #takeSpace(): string {
    const space = this.#space;
    this.#space = "";
    return space;
  }

  /** @param isStrict whether only an object with `arguments` is a call */
  #enterBlock(opening: string, rest: string, isStrict = false): string {
    const { format, names, typesOf = () => ({}), constrained = false } = this.#options;
    const isMarked = endOfText(opening) > 0;
    // After a call without a fence, one begins text.
    const close = opening.includes(FENCE) ? format.close : this.#close;
    this.#opening = opening;
    this.#isInBlock ||= isMarked && close.length > 0;
    this.#echoes.begin();
    this.#isUnmarked = isStrict || (!isMarked && format.beginsWithName !== undefined);
    this.#block = openBlock({
      format: { ...format, close },
      sink: {
        onStart: (name) => this.#events.start(name),
        onArguments: (piece) => this.#events.arguments(piece),
        onEnd: () => this.#events.end(),
      },
      accepts: (name) => names?.has(name) ?? true,
      nameSuffices: !isStrict && (constrained || names !== undefined || isMarked),
      isStrict,
      isMarked,
      typesOf,
    });
    return rest;
  }

  /** Returns the rest to read as text. Without a call, the opening is text too. */
  #leaveBlock(block: Block, rest: string): string {
    this.#block = undefined;
    if (this.#echoes.end(rest) || this.#opening.includes(FENCE)) this.#isInBlock = false;
    // Several such blocks may begin a reply.
    this.#atBeginning = block.hasCalls && this.#isUnmarked;
    this.#lastWasCall ||= block.hasCalls;
    if (block.hasCalls) return rest;
    const opening = this.#opening.replace(this.#options.format.headerEnd ?? "", "");
    // Without a marker, emit the first brace, so that it is not parsed as a call again.
    const shown = endOfText(this.#opening) > 0 ? 0 : 1;
    this.#emitText(opening + rest.slice(0, shown), rest.length - shown);
    return rest.slice(shown);
  }

  /** @param after characters that were added after the text */
  #emitText(text: string, after: number): void {
    if (text === "") return;
    this.#atBeginning = false;
    this.#lastWasCall = false;
    this.#events.text(text, after);
  }
}

const FENCE = "```";
