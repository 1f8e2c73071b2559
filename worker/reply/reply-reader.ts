import type { CallFormat, ParameterTypes } from "./call-format.ts";
import { type ReasoningMarkers, ReasoningReader } from "./reasoning-reader.ts";
import type { ReplyEvent } from "./reply-events.ts";
import { StopReader } from "./stop-reader.ts";
import { ToolCallReader, type ToolReaderEvent } from "./tool-call-reader.ts";

/** How to parse the text of a reply. Plain data, as it is posted to the engine worker. */
export interface ReaderOptions {
  /** Stop strings, matched in the visible text only, not in reasoning and calls. */
  stop: readonly string[];
  /** Whether the visible text includes the stop string that ended it. */
  includeStop?: boolean;
  /** Reasoning markers; undefined if the model has none. */
  reasoning?: ReasoningMarkers;
  /** Undefined if the request has no tools; then calls are text. */
  tools?: ToolReading;
}

export interface ToolReading {
  format: CallFormat;
  names: readonly string[];
  /** JSON types of the tools' parameters, for formats that write them as plain text. */
  types?: Readonly<Record<string, ParameterTypes>>;
  /** Whether the reply is constrained to calls. */
  constrained: boolean;
  /** Whether generation ends after the first call. */
  single: boolean;
}

/** Characters of the generated reply, from `start` up to but without `end`. */
export interface Span {
  start: number;
  end: number;
}

/**
 * Parses a reply as it is generated: reasoning, then tool calls, then stop strings in the rest. Runs in the engine
 * worker between two steps, so that the end of a reply never depends on timing.
 */
export class ReplyReader {
  readonly #reasoning: ReasoningReader | undefined;
  readonly #tools: ToolCallReader | undefined;
  readonly #stop: StopReader;
  readonly #single: boolean;
  #called = false;
  /** Characters of the reply so far, and those outside reasoning. */
  #received = 0;
  #spoken = 0;
  /** Where the last text that was read for stop strings ends in the reply. */
  #end = 0;
  #spans: Span[] = [];

  /** @param mintCallId generates the id of a tool call */
  constructor({ stop, includeStop = false, reasoning, tools }: ReaderOptions, mintCallId: () => string) {
    const around = tools?.format.endsThought;
    const calls = around ? tools.names.map((name) => around.before + name + around.after) : [];
    this.#reasoning = reasoning && new ReasoningReader({ ...reasoning, calls });
    const types = tools?.types;
    this.#tools =
      tools &&
      new ToolCallReader({
        format: tools.format,
        names: new Set(tools.names),
        ...(types ? { typesOf: (tool) => (Object.hasOwn(types, tool) ? types[tool]! : {}) } : {}),
        constrained: tools.constrained,
        mintId: mintCallId,
      });
    this.#stop = new StopReader(stop, includeStop);
    this.#single = tools?.single ?? false;
  }

  /** True once generation must stop. */
  get ended(): boolean {
    // A constraint would not let the model end before its thought does.
    const isSingle = this.#single || this.#reasoning?.endedByCall;
    return this.#stop.stopped || (isSingle === true && this.#called);
  }

  /** True while the reply is inside its reasoning. */
  get reasoning(): boolean {
    return this.#reasoning?.inside ?? false;
  }

  push(text: string): ReplyEvent[] {
    if (this.ended) return [];
    this.#received += text.length;
    const pieces = this.#reasoning?.push(text) ?? [{ kind: "text" as const, text }];
    return pieces.flatMap((piece) => this.#read(piece.kind, piece.text));
  }

  /** Places in the reply of the text that was returned since the last call of this. */
  takeSpans(): Span[] {
    const spans = this.#spans;
    this.#spans = [];
    return spans;
  }

  /** Ends the reply, and returns the text held back. */
  flush(): ReplyEvent[] {
    if (this.ended) return [];
    const rest = this.#reasoning?.flush().flatMap((piece) => this.#read(piece.kind, piece.text)) ?? [];
    const calls = this.#tools?.flush().flatMap((event) => this.#follow(event)) ?? [];
    return [...rest, ...calls, ...(this.ended ? [] : this.#deliver(this.#stop.flush()))];
  }

  #read(kind: "reasoning" | "text", text: string): ReplyEvent[] {
    if (kind === "reasoning") return [{ type: "reasoning", text }];
    this.#spoken += text.length;
    const events = this.#tools?.push(text) ?? [{ type: "text" as const, text, end: this.#spoken }];
    return events.flatMap((event) => this.#follow(event));
  }

  #follow(event: ToolReaderEvent): ReplyEvent[] {
    if (this.ended) return [];
    if (event.type === "text") {
      const decided = this.#reasoning?.decided ?? this.#received;
      this.#end = decided - this.#spoken + event.end;
      return this.#deliver(this.#stop.push(event.text));
    }
    if (event.type === "tool-call-end") this.#called = true;
    // A call ends a partial stop string: release it as text.
    return [...this.#deliver(this.#stop.flush()), event];
  }

  #deliver(text: string): ReplyEvent[] {
    if (text === "") return [];
    const end = this.#end - this.#stop.after;
    this.#spans.push({ start: end - text.length, end });
    return [{ type: "text", text }];
  }
}
