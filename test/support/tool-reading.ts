import { expect } from "vitest";
import { MessageReader } from "../../worker/reply/message-reader.ts";
import { ToolCallReader, type ToolReaderOptions } from "../../worker/reply/tool-call-reader.ts";
import type { ToolReaderEvent } from "../../worker/reply/tool-events.ts";
import { harmony } from "../../worker/tools/formats/harmony.ts";

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
  const events = [...pieces.flatMap((piece) => reader.push(piece)), ...reader.flush()];
  expect(reader.calls).toBe(minted);
  return events;
}

/** Calls that are messages of their own. */
function inMessages(
  pieces: readonly string[],
  { names = new Set() }: Omit<ToolReaderOptions, "mintId">,
): ToolReaderEvent[] {
  let minted = 0;
  const reader = new MessageReader({ begun: "assistant", names, mintId: () => `call_${minted++}` });
  return [...pieces.flatMap((piece) => [...reader.push(piece)]), ...reader.flush(true)].map((piece) =>
    "kind" in piece ? { type: "text", text: piece.text, end: piece.start + piece.text.length } : piece,
  );
}
