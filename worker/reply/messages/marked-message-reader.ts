import { callHeaders, type MessageMarkers } from "../../chat-template/traits/message-markers.ts";
import { firstMarker, untilMarker } from "../find-marker.ts";
import type { ReasoningPiece } from "../reasoning-reader.ts";
import { LONGEST_HEADER, type MessagePiece, MessageText } from "./message-text.ts";

interface MarkedMessageOptions {
  markers: MessageMarkers;
  /** The beginning of the message that the prompt ends with. */
  begun: string;
  /** Names of tools. */
  names: readonly string[];
  /** Whether the text so far ends inside a call, where markers are text. @default never */
  inCall?: () => boolean;
  /** The number of calls in the text so far. @default none */
  calls?: () => number;
}

/** Of a message; that of a call is text, which the reader of calls reads. */
type Kind = "reasoning" | "text" | "call";

/** What a header may be of: a recipient, or the name of a tool. */
const HEADER = /^\s*(?:to=\S*|[\w.-]*)\s*$/;

/**
 * Reads a reply of messages (`message-markers.ts`) into thoughts and text. Headers and markers are dropped, except what
 * also begins a call, and markers in calls. Text without a header is text; models may also leave out the end of a message
 * or the beginning of the next.
 */
export class MarkedMessageReader {
  readonly #markers: MessageMarkers;
  /** By what ends a header. */
  readonly #kinds: ReadonlyMap<string, Kind>;
  readonly #all: readonly string[];
  readonly #names: readonly string[];
  readonly #inCall: () => boolean;
  readonly #calls: () => number;
  #place: Kind | "header" | "ended" = "header";
  readonly #text = new MessageText();
  /** Where the body of the last call begins, and the number of calls before it. */
  #body = { at: 0, calls: 0 };

  constructor({ markers, begun, names, inCall = () => false, calls = () => 0 }: MarkedMessageOptions) {
    const { next, others, ends } = markers;
    this.#markers = markers;
    this.#kinds = headerEnds(markers, names);
    this.#all = [...this.#kinds.keys(), next, ...others, ...ends];
    this.#names = names;
    this.#inCall = inCall;
    this.#calls = calls;
    const end = firstMarker(begun, [...this.#kinds.keys()]);
    if (end) this.#place = this.#kinds.get(end.marker)!;
  }

  /** True while inside a thought. */
  get inside(): boolean {
    return this.#place === "reasoning";
  }

  /**
   * Adds text of the reply and yields what is decided, in order and without empty parts. It must be read to its end;
   * `inCall` is asked when the pieces before have been taken.
   */
  *push(text: string): Generator<MessagePiece, void> {
    this.#text.add(text);
    let again = true;
    while (again && this.#text.held !== "") {
      if (this.#place === "header") again = yield* this.#readHeader();
      else again = this.#place !== "ended" && (yield* this.#readBody(this.#place));
    }
  }

  /**
   * Ends the reply, and returns the text held back as its current kind.
   *
   * @param byModel whether the model ended it: then no header is cut
   */
  flush(byModel: boolean): ReasoningPiece[] {
    if (this.#place === "header" && !this.#isEmpty(this.#text.held, !byModel)) this.#begin("text");
    if (this.#place === "header" || this.#place === "ended") return [];
    return [...this.#release(this.#place, this.#text.held.length)];
  }

  *#readHeader(): Generator<MessagePiece, boolean> {
    const { held } = this.#text;
    const { end, marker } = untilMarker(held, this.#all);
    const header = held.slice(0, end);
    const mayEnd = marker === undefined || this.#kinds.has(marker) || this.#isEmpty(header);
    // The length first: the pattern takes long for much white space.
    if (header.length > LONGEST_HEADER || !HEADER.test(header) || !mayEnd) {
      this.#begin("text");
      return true;
    }
    if (marker === undefined) return false;
    this.#text.skip(end);
    return yield* this.#follow(marker);
  }

  *#readBody(place: Kind): Generator<MessagePiece, boolean> {
    const { end, marker } = untilMarker(this.#text.held, this.#all);
    yield* this.#release(place, end);
    if (marker === undefined) return false;
    if (place === "call" && this.#inCall()) {
      yield* this.#release(place, marker.length);
      return true;
    }
    const isText = place === "call" && this.#text.at > this.#body.at && this.#calls() === this.#body.calls;
    if (isText) this.#text.mark("text");
    return yield* this.#follow(marker);
  }

  /** Reads a marker. */
  *#follow(marker: string): Generator<MessagePiece, true> {
    const kind = this.#kinds.get(marker);
    if (this.#markers.others.includes(marker)) {
      this.#place = "ended";
      yield { type: "results" };
    } else if (kind === undefined) {
      this.#text.skip(marker.length);
      this.#place = "header";
    } else {
      const { after, opens } = this.#markers.call;
      const kept = kind === "call" && opens ? after.length : 0;
      this.#text.skip(marker.length - kept);
      this.#begin(kind);
      yield* this.#release(kind, kept);
      this.#body = { at: this.#text.at, calls: this.#calls() };
    }
    return true;
  }

  /** Whether a header without its end has a recipient or a tool's name at most, of which the end may be cut. */
  #isEmpty(header: string, isCut = false): boolean {
    const word = header.trim();
    const before = this.#markers.call.before.trim();
    const known = before === "" ? this.#names : [before];
    if (word === "" || (isCut && known.some((one) => one.startsWith(word)))) return true;
    return before === "" ? known.includes(word) : word.startsWith(before) && !/\s/.test(word);
  }

  #begin(kind: Kind): void {
    // A gap before a call is dropped, but its body may turn out to be text.
    this.#text.begin(kindOf(kind));
    this.#place = kind;
  }

  *#release(place: Kind, length: number): Generator<ReasoningPiece, void> {
    if (length > 0 && place !== "call") this.#text.mark(place);
    yield* this.#text.release(kindOf(place), length);
  }
}

function kindOf(kind: Kind): ReasoningPiece["kind"] {
  return kind === "call" ? "text" : kind;
}

/** The kinds of messages, by what ends their headers, also without the space before it. */
function headerEnds(markers: MessageMarkers, names: readonly string[]): Map<string, Kind> {
  const { thought, texts, call } = markers;
  const calls = [...names.flatMap((name) => callHeaders(markers, name)), ...(call.opens ? [call.after] : [])];
  const ends: [string, Kind][] = [
    [thought, "reasoning"],
    ...texts.map((text) => [text, "text"] as [string, Kind]),
    ...calls.map((one) => [one, "call"] as [string, Kind]),
  ];
  return new Map(ends.flatMap(([end, kind]) => [[end, kind] as const, [end.trimStart(), kind] as const]));
}
