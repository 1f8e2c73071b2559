import { expect } from "vitest";
import { MessageReader } from "../../worker/reply/message-reader.ts";
import {
  ToolCallReader,
  type ToolReaderEvent,
  type ToolReaderOptions,
} from "../../worker/reply/tool-call-reader.ts";
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
      expect(event.text).not.toBe("");
      text += event.text;
      continue;
    }
    if (event.type === "tool-call-start") {
      expect([event.index, event.id]).toEqual([calls.length, `call_${calls.length}`]);
      expect(calls.at(-1)?.ended ?? true).toBe(true);
      calls.push({ name: event.name, arguments: "", ended: false });
      continue;
    }
    expect([event.index, calls[event.index]?.ended]).toEqual([calls.length - 1, false]);
    if (event.type === "tool-call-delta") calls[event.index]!.arguments += event.arguments;
    else calls[event.index]!.ended = true;
  }
  return { text, calls, events };
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
