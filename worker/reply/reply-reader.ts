import type { CallFormat, ParameterTypes } from "./call-format.ts";
import { HarmonyReader } from "./messages/harmony-reader.ts";
import { MarkedMessageReader } from "./messages/marked-message-reader.ts";
import type { MessagePiece } from "./messages/message-text.ts";
import { ReasoningReader } from "./reasoning-reader.ts";
import type { ReplyEvent } from "./reply-events.ts";
import type { ReplyReasoning } from "./reply-reasoning.ts";
import { StopReader } from "./stop-reader.ts";
import { ToolCallReader } from "./tool-call-reader.ts";
import type { ToolReaderEvent } from "./tool-events.ts";
import { type Span, VisibleText } from "./visible-text.ts";

/** How to parse the text of a reply. Plain data, as it is posted to the engine worker. */
export interface ReaderOptions {
  /** Stop strings, matched in the visible text only, not in reasoning and calls. */
  stop: readonly string[];
  /** Whether the visible text includes the stop string that ended it. */
  includeStop?: boolean;
  /** Reasoning markers; undefined if the model has none. */
  reasoning?: ReplyReasoning;
  /** Undefined if the request has no tools; then calls are text. */
  tools?: ToolReading;
}

interface ToolReading {
  format: CallFormat;
  names: readonly string[];
  /** JSON types of the tools' parameters, for formats that write them as plain text. */
  types?: Readonly<Record<string, ParameterTypes>>;
  /** Whether the reply is constrained to calls. */
  constrained: boolean;
  /** Whether generation ends after the first call. */
  single: boolean;
}

/**
 * Parses a reply as it is generated: reasoning, then tool calls, then stop strings in the rest. Runs in the engine
 * worker between two steps, so that the end of a reply never depends on timing.
 */
export class ReplyReader {
  /** Splits thoughts off; in harmony, calls too. */
  readonly #thoughts: ReasoningReader | MarkedMessageReader | HarmonyReader | undefined;
  readonly #tools: ToolCallReader | undefined;
  readonly #stop: StopReader;
  readonly #single: boolean;
  #called = false;
  /** Whether the calls that ended a thought have ended. */
  #callsEnded = false;
  /** Whether the model went on with the results of its calls. */
  #wroteResults = false;
  /** Characters of the reply so far. */
  #received = 0;
  readonly #visible = new VisibleText();
  /** Where the last text that was read for stop strings ends in the visible text. */
  #end = 0;
  #spans: Span[] = [];

  /** @param mintCallId generates the id of a tool call */
  constructor({ stop, includeStop = false, reasoning, tools }: ReaderOptions, mintCallId: () => string) {
    if (reasoning?.messages?.kind === "harmony") {
      const names = new Set(tools?.names);
      this.#thoughts = new HarmonyReader({ begun: reasoning.messages.begun, names, mintId: mintCallId });
    } else {
      const progress = {
        inCall: () => this.#tools?.inCall ?? false,
        calls: () => this.#tools?.calls ?? 0,
      };
      this.#thoughts = reasoning && thoughtReader(reasoning, tools, progress);
      this.#tools = tools && toolReader(tools, mintCallId);
    }
    this.#stop = new StopReader(stop, includeStop);
    this.#single = tools?.single ?? false;
  }

  /** True once generation must stop. */
  get ended(): boolean {
    return this.#stop.stopped || this.#wroteResults || this.#callsEnded || (this.#single && this.#called);
  }

  /** Whether a call has ended the thought: a constraint would not let the model end before it closes that. */
  get #isInThought(): boolean {
    return this.#thoughts instanceof ReasoningReader && this.#thoughts.endedByCall;
  }

  /** True while the reply is inside its reasoning. */
  get reasoning(): boolean {
    return this.#thoughts?.inside ?? false;
  }

  push(text: string): ReplyEvent[] {
    if (this.ended) return [];
    const start = this.#received;
    this.#received += text.length;
    const events: ReplyEvent[] = [];
    for (const piece of this.#thoughts?.push(text) ?? [{ kind: "text" as const, text, start }])
      for (const event of this.#read(piece)) events.push(event);
    return events;
  }

  /** Places in the reply of the text that was returned since the last call of this. */
  takeSpans(): Span[] {
    const spans = this.#spans;
    this.#spans = [];
    return spans;
  }

  /**
   * Ends the reply, and returns the text held back.
   *
   * @param byModel whether the model ended it, not a limit or an abort
   */
  flush(byModel = false): ReplyEvent[] {
    if (this.ended) return [];
    const pieces = this.#thoughts?.flush(byModel) ?? [];
    const rest = pieces.flatMap((piece) => this.#read(piece));
    const calls = this.#tools?.flush(byModel).flatMap((event) => this.#follow(event)) ?? [];
    return [...rest, ...calls, ...(this.ended ? [] : this.#deliver(this.#stop.flush()))];
  }

  #read(piece: MessagePiece): ReplyEvent[] {
    if (this.ended) return [];
    if (!("kind" in piece)) return this.#follow(piece);
    const { kind, text, start } = piece;
    if (kind === "reasoning") return this.#interrupt({ type: "reasoning", text });
    this.#visible.add(start, text.length);
    if (!this.#tools) return this.#follow({ type: "text", text, end: this.#visible.length });
    // Where calls end does not depend on the pieces.
    const parts = this.#isInThought ? text : [text];
    const events: ReplyEvent[] = [];
    for (const part of parts) {
      for (const event of this.#tools.push(part)) events.push(...this.#follow(event));
      this.#callsEnded ||= this.#isInThought && this.#called && !this.#tools.awaitsEnd;
      if (this.ended) break;
    }
    return events;
  }

  #follow(event: ToolReaderEvent): ReplyEvent[] {
    if (this.ended) return [];
    if (event.type === "text") {
      this.#callsEnded ||= this.#isInThought && this.#called;
      if (this.#callsEnded) return [];
      this.#end = event.end;
      return this.#deliver(this.#stop.push(event.text));
    }
    if (event.type === "results") {
      this.#wroteResults = true;
      return this.#deliver(this.#stop.flush());
    }
    const events = this.#interrupt(event);
    if (event.type === "tool-call-end") this.#called = true;
    return events;
  }

  /** A call or a thought ends a partial stop string: release it as text. */
  #interrupt(event: ReplyEvent): ReplyEvent[] {
    return [...this.#deliver(this.#stop.flush()), event];
  }

  #deliver(text: string): ReplyEvent[] {
    if (text === "") return [];
    const end = this.#end - this.#stop.after;
    for (const span of this.#visible.spans(end - text.length, end)) this.#spans.push(span);
    return [{ type: "text", text }];
  }
}

function thoughtReader(
  reasoning: ReplyReasoning,
  tools: ToolReading | undefined,
  { inCall, calls }: { inCall: () => boolean; calls: () => number },
): ReasoningReader | MarkedMessageReader {
  const { messages } = reasoning;
  if (messages?.kind === "marked")
    return new MarkedMessageReader({ ...messages, names: tools?.names ?? [], inCall, calls });
  return new ReasoningReader({ ...reasoning, ...endsOfThought(tools), inCall });
}

function toolReader(
  { format, names, types, constrained }: ToolReading,
  mintId: () => string,
): ToolCallReader {
  const typesOf = (tool: string) => (types && Object.hasOwn(types, tool) ? types[tool]! : {});
  return new ToolCallReader({ format, names: new Set(names), typesOf, constrained, mintId });
}

/** What of calls ends a thought, or the answer after it. */
function endsOfThought(tools: ToolReading | undefined): { calls: string[]; callMarkers: string[] } {
  if (!tools) return { calls: [], callMarkers: [] };
  const { open, around = [], inline = [] } = tools.format;
  return { calls: callsInThought(tools), callMarkers: [...open, ...around, ...inline] };
}

/** Beginnings of calls that end an open thought, also without the line breaks of the format and in compact JSON. */
function callsInThought({ format: { endsThought }, names }: ToolReading): string[] {
  if (!endsThought) return [];
  const { before, after } = endsThought;
  const written = [before, before.replaceAll("\n", "")].flatMap((start) => [
    [start, after] as const,
    [compact(start), compact(after)] as const,
  ]);
  return [...new Set(names.flatMap((name) => written.map(([start, end]) => start + name + end)))];
}

function compact(json: string): string {
  return json.replaceAll(/(?<=[:,]) (?=["{])/g, "");
}
