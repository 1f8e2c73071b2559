import { untilMarker } from "./find-marker.ts";
import { HeldText, withoutNewlines } from "./held-text.ts";
import type { ReplyReasoning } from "./reply-reasoning.ts";

/** A part of the reply: reasoning or visible text. */
export interface ReasoningPiece {
  kind: "reasoning" | "text";
  text: string;
  /** Where it begins in the reply. */
  start: number;
}

/** @default `<think>` and `</think>` */
export interface ReasoningOptions extends Partial<ReplyReasoning> {
  /** Beginnings of tool calls that end a block which was not closed. @default none */
  calls?: readonly string[];
  /** Markers of calls, which may follow the answer's closing marker. @default none */
  callMarkers?: readonly string[];
  /** Whether the text so far ends inside a call, where markers are text. @default never */
  inCall?: () => boolean;
}

/**
 * Splits one `<think>…</think>` block off the beginning of a reply, as vLLM's and DeepSeek's parsers do. The markers
 * and the newlines around the reasoning are dropped. A block that is never closed is all reasoning. Only a block at
 * the start counts, after optional white space, or its close marker alone. Markers that a model repeats are dropped, and
 * a second block right after the first is a thought, too; markers after text are text, except of a model with channels.
 */
export class ReasoningReader {
  readonly #opens: readonly string[];
  readonly #closes: readonly string[];
  readonly #channel: string | undefined;
  readonly #answer: ReasoningOptions["answer"];
  readonly #calls: readonly string[];
  readonly #callMarkers: readonly string[];
  readonly #inCall: () => boolean;
  #place: "before" | "inside" | "after" = "before";
  /** Whether a block is open where markers may begin. */
  #startsInside: boolean;
  #hasBegun = false;
  readonly #held = new HeldText();
  /** Whether newlines here belong to the markers. */
  #skipsNewlines: boolean;
  #hasText = false;
  /** `expected`: the answer may begin with its marker. `open`: it did. `closed`: the reply may end here. */
  #answerIs: "expected" | "open" | "closed" | undefined;
  #endedByCall = false;

  constructor({
    open = "<think>",
    close = "</think>",
    variants = [],
    startsInside = false,
    channel,
    answer,
    calls = [],
    callMarkers = [],
    inCall = () => false,
  }: ReasoningOptions = {}) {
    // Newlines after it are dropped anyway, and an empty block may have none.
    this.#opens = [open.trimEnd(), ...variants.map((one) => one.open)];
    this.#closes = [close, ...variants.map((one) => one.close)];
    this.#startsInside = startsInside;
    this.#channel = channel;
    this.#answer = answer;
    this.#calls = calls;
    this.#callMarkers = callMarkers;
    this.#inCall = inCall;
    this.#skipsNewlines = startsInside;
  }

  /** True while inside the reasoning block. */
  get inside(): boolean {
    return this.#place === "inside" || (this.#place === "before" && this.#startsInside);
  }

  /** Whether a call ended the block in place of its marker. */
  get endedByCall(): boolean {
    return this.#endedByCall;
  }

  /**
   * Adds text of the reply and yields what is decided, in order and without empty parts. It must be read to its end;
   * `inCall` is asked when the pieces before have been taken.
   */
  *push(text: string): Generator<ReasoningPiece, void> {
    this.#held.text += text;
    let again = true;
    while (again) {
      if (this.#place === "before") again = this.#enter();
      else again = yield* this.#place === "inside" ? this.#readThought() : this.#readText();
    }
  }

  /** Ends the reply, and returns the text held back as its current kind. */
  flush(): ReasoningPiece[] {
    const { inside } = this;
    const isMarker = this.#answerIs === "closed" || (!inside && this.#startsWithChannel() && !this.#inCall());
    if (inside && this.#held.text === "") this.#held.drop(0);
    else if (this.#place === "before") this.#held.returnSpace();
    this.#skipLeadingNewlines();
    const whole = isMarker ? "" : this.#held.space + this.#held.text;
    const text = inside ? withoutNewlines(whole) : whole;
    const start = this.#held.at;
    this.#held.drop(this.#held.text.length);
    return text === "" ? [] : [{ kind: inside ? "reasoning" : "text", text, start }];
  }

  /** Detects the block at the beginning, also where the prompt has opened it and the model opens it again. */
  #enter(): boolean {
    if (this.#answer?.isOpen) {
      this.#place = "after";
      this.#answerIs = "open";
      return true;
    }
    this.#held.holdSpace();
    // Another beginning of a block is its whole marker.
    const opens = this.#hasBegun ? this.#opens.slice(0, 1) : this.#opens;
    const open = this.#begunWith(opens);
    // Models that begin with the answer write the end of a thought that there is not, as if it were empty.
    const closes = this.#startsInside ? [] : this.#closes;
    const close = this.#begunWith(closes);
    if (open !== undefined) this.#begin(open);
    else if (close !== undefined) this.#end(close.length);
    else if ([...opens, ...closes].some((marker) => marker.startsWith(this.#held.text))) return false;
    else if (this.#startsWithChannel()) this.#held.drop(this.#channel!.length);
    else {
      this.#held.returnSpace();
      this.#place = this.#startsInside ? "inside" : "after";
      // The prompt may have closed the thought.
      if (this.#answer && !this.#startsInside) this.#answerIs = "expected";
    }
    return true;
  }

  #begunWith(markers: readonly string[]): string | undefined {
    return markers.find((marker) => this.#held.text.startsWith(marker));
  }

  #begin(open: string): void {
    this.#held.drop(open.length);
    this.#place = "before";
    this.#startsInside = true;
    this.#hasBegun = true;
    this.#skipsNewlines = true;
  }

  /** @param length of the marker; 0 where a call ends the block */
  #end(length: number): void {
    this.#held.drop(length);
    this.#place = length === 0 || this.#hasText ? "after" : "before";
    this.#startsInside = false;
    // Behind text, they belong to the text.
    this.#skipsNewlines = !this.#hasText;
    if (this.#answer && length > 0) this.#answerIs = "expected";
  }

  *#readThought(): Generator<ReasoningPiece, boolean> {
    if (!this.#skipLeadingNewlines()) return false;
    const ends = [...this.#closes, ...this.#calls];
    const { end, marker } = untilMarker(this.#held.text, ends);
    yield* this.#release("reasoning", end);
    if (marker === undefined) return false;
    this.#endedByCall = !this.#closes.includes(marker);
    this.#end(this.#endedByCall ? 0 : marker.length);
    return true;
  }

  *#readText(): Generator<ReasoningPiece, boolean> {
    if (!this.#skipLeadingNewlines()) return false;
    if (this.#answerIs === "expected") return this.#enterAnswer();
    if (this.#answerIs !== undefined) return yield* this.#readAnswer();
    const markers = this.#channel === undefined ? [] : [this.#channel, ...this.#closes];
    const { end, marker } = untilMarker(this.#held.text, markers);
    yield* this.#release("text", end);
    if (marker === undefined) return false;
    const open = this.#begunWith(this.#opens);
    if (this.#inCall()) yield* this.#release("text", marker.length);
    else if (open !== undefined) this.#begin(open);
    else if (this.#opens.some((marker) => marker.startsWith(this.#held.text))) return false;
    else this.#held.drop(marker.length);
    return true;
  }

  /** False while it is open whether the answer begins with its marker. */
  #enterAnswer(): boolean {
    const { open } = this.#answer!;
    this.#held.holdSpace();
    if (this.#held.text.startsWith(open)) {
      this.#held.drop(open.length);
      this.#answerIs = "open";
      this.#skipsNewlines = true;
    } else if (open.startsWith(this.#held.text)) return false;
    else {
      this.#held.returnSpace();
      this.#answerIs = undefined;
    }
    return true;
  }

  *#readAnswer(): Generator<ReasoningPiece, boolean> {
    if (this.#answerIs === "closed" && !this.#leaveAnswer()) return false;
    if (this.#answerIs !== "open") return true;
    const { close } = this.#answer!;
    const { end, marker } = untilMarker(this.#held.text, [close]);
    yield* this.#release("text", end, true);
    if (marker === undefined) return false;
    this.#held.hold(close.length);
    this.#answerIs = "closed";
    return true;
  }

  /** White space, the reply's end or calls may follow the marker; before other text, it was text. False while it is open. */
  #leaveAnswer(): boolean {
    const { end } = this.#answer!;
    this.#held.holdSpace();
    const { text } = this.#held;
    if (text === "" || end?.startsWith(text)) return false;
    if (end !== undefined && text.startsWith(end)) {
      this.#held.hold(end.length);
      return true;
    }
    const isCall = this.#callMarkers.some((marker) => text.startsWith(marker));
    if (!isCall && this.#callMarkers.some((marker) => marker.startsWith(text))) return false;
    if (isCall) this.#held.drop(0);
    this.#answerIs = isCall ? undefined : "open";
    return true;
  }

  #startsWithChannel(): boolean {
    return this.#channel !== undefined && this.#held.text.startsWith(this.#channel);
  }

  /** False while there are only newlines. */
  #skipLeadingNewlines(): boolean {
    if (this.#skipsNewlines) {
      this.#held.skipNewlines();
      if (this.#held.text !== "") this.#skipsNewlines = false;
    }
    return this.#held.text !== "";
  }

  /** Newlines at the end of a thought or an answer wait: a close marker may follow. */
  *#release(kind: ReasoningPiece["kind"], length: number, waits = kind === "reasoning") {
    const taken = this.#held.take(length, waits);
    if (!taken) return;
    if (kind === "text") this.#hasText = true;
    yield { kind, ...taken };
  }
}
