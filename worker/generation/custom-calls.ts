/** Calls of functions that stand for custom tools, as calls of these tools. */

import type { ReplyEvent } from "../reply/reply-events.ts";
import { InputReader } from "../tools/custom/input-reader.ts";
import type { ToolDefinition } from "../tools/tool-types.ts";
import type { GenerationEvent } from "./events.ts";

/**
 * The events, in which calls of custom tools are marked, and have their input in place of arguments. Such a call has an
 * end only if its input is complete.
 */
export function withCustomCalls(
  events: AsyncGenerator<GenerationEvent, void>,
  tools: readonly ToolDefinition[],
): AsyncGenerator<GenerationEvent, void> {
  const names = new Set(tools.flatMap((tool) => (tool.custom ? [tool.function.name] : [])));
  return names.size === 0 ? events : convert(events, names);
}

async function* convert(
  events: AsyncGenerator<GenerationEvent, void>,
  names: ReadonlySet<string>,
): AsyncGenerator<GenerationEvent, void> {
  /** Of each choice. */
  const open = new Map<number, InputReader>();
  for await (const event of events) {
    if (event.type !== "reply") yield event;
    else
      yield { ...event, events: event.events.flatMap((one) => convertOne(one, event.choice, open, names)) };
  }
}

function convertOne(
  event: ReplyEvent,
  choice: number,
  open: Map<number, InputReader>,
  names: ReadonlySet<string>,
): ReplyEvent[] {
  const reader = open.get(choice);
  switch (event.type) {
    case "tool-call-start":
      // A call before it may have no end.
      open.delete(choice);
      if (!names.has(event.name)) return [event];
      open.set(choice, new InputReader());
      return [{ ...event, isCustom: true }];
    case "tool-call-delta": {
      if (!reader) return [event];
      const text = reader.push(event.arguments);
      return text === "" ? [] : [{ ...event, arguments: text, isCustom: true }];
    }
    case "tool-call-end": {
      if (!reader) return [event];
      open.delete(choice);
      return reader.end() ? [event] : [];
    }
    default:
      return [event];
  }
}
