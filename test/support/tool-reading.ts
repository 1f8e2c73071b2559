import { expect } from "vitest";
import { INKLING_MESSAGES, MUSE_MESSAGES } from "../../worker/chat-template/traits/message-markers.ts";
import { HarmonyReader } from "../../worker/reply/messages/harmony-reader.ts";
import { MarkedMessageReader } from "../../worker/reply/messages/marked-message-reader.ts";
import { ToolCallReader, type ToolReaderOptions } from "../../worker/reply/tool-call-reader.ts";
import type { ToolReaderEvent } from "../../worker/reply/tool-events.ts";
import { harmony } from "../../worker/tools/formats/harmony.ts";
import { inkling } from "../../worker/tools/formats/inkling.ts";
import { muse } from "../../worker/tools/formats/muse.ts";

/** Formats whose calls have headers. */
export const MARKED = new Map([
  [muse.callFormat, MUSE_MESSAGES],
  [inkling.callFormat, INKLING_MESSAGES],
]);

export interface ReadCall {
  name: string;
  arguments: string;
  ended: boolean;
}

/** Assembles text and calls from the events as a client does, and checks their order. */
export function readCalls(
  pieces: readonly string[],
  options: Omit<ToolReaderOptions, "mintId">,
): { text: string; calls: ReadCall[]; events: ToolReaderEvent[] } {
  const events =
    options.format === harmony.callFormat ? inMessages(pieces, options) : inText(pieces, options);
  const calls: ReadCall[] = [];
  let text = "";
  for (const event of events) {
    // What follows is not read.
    if (event.type === "results") break;
    if (event.type === "text") {
      ensure(event.text !== "", event);
      text += event.text;
      continue;
    }
    if (event.type === "tool-call-start") {
      ensure(event.index === calls.length && event.id === `call_${calls.length}`, event);
      ensure(calls.at(-1)?.ended ?? true, event);
      calls.push({ name: event.name, arguments: "", ended: false });
      continue;
    }
    ensure(event.index === calls.length - 1 && calls[event.index]?.ended === false, event);
    if (event.type === "tool-call-delta") calls[event.index]!.arguments += event.arguments;
    else calls[event.index]!.ended = true;
  }
  return { text, calls, events };
}

/** Without `expect`, which takes longer than reading: there is an event for each character of millions. */
function ensure(isRight: boolean, event: ToolReaderEvent): void {
  if (!isRight) throw new Error(`An event is out of order: ${JSON.stringify(event)}`);
}

function inText(pieces: readonly string[], options: Omit<ToolReaderOptions, "mintId">): ToolReaderEvent[] {
  let minted = 0;
  const reader = new ToolCallReader({ ...options, mintId: () => `call_${minted++}` });
  const events: ToolReaderEvent[] = [];
  for (const text of bodies(pieces, options, reader)) events.push(...reader.push(text));
  events.push(...reader.flush());
  expect(reader.calls).toBe(minted);
  return events;
}

/** The texts of a reply, without the headers of messages. */
function* bodies(
  pieces: readonly string[],
  { format, names = new Set() }: Omit<ToolReaderOptions, "mintId">,
  calls: ToolCallReader,
): Generator<string> {
  const markers = MARKED.get(format);
  if (!markers) yield* pieces;
  else {
    const progress = { inCall: () => calls.inCall, calls: () => calls.calls };
    const reader = new MarkedMessageReader({ markers, begun: "", names: [...names], ...progress });
    for (const piece of pieces) for (const one of reader.push(piece)) if ("kind" in one) yield one.text;
    for (const one of reader.flush(true)) yield one.text;
  }
}

/** Calls that are messages of their own. */
function inMessages(
  pieces: readonly string[],
  { names = new Set() }: Omit<ToolReaderOptions, "mintId">,
): ToolReaderEvent[] {
  let minted = 0;
  const reader = new HarmonyReader({ begun: "assistant", names, mintId: () => `call_${minted++}` });
  return [...pieces.flatMap((piece) => [...reader.push(piece)]), ...reader.flush(true)].map((piece) =>
    "kind" in piece ? { type: "text", text: piece.text, end: piece.start + piece.text.length } : piece,
  );
}
