import { expect } from "vitest";
import {
  ToolCallReader,
  type ToolReaderEvent,
  type ToolReaderOptions,
} from "../../worker/reply/tool-call-reader.ts";

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
  let minted = 0;
  const reader = new ToolCallReader({ ...options, mintId: () => `call_${minted++}` });
  const events = [...pieces.flatMap((piece) => reader.push(piece)), ...reader.flush()];
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
  expect(reader.calls).toBe(calls.length);
  return { text, calls, events };
}
