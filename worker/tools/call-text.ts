/** Text of tool definitions and calls, as most templates render it. */

import { type JsonMembers, JsonObject } from "../chat-template/json-object.ts";
import type { ToolCall, ToolDefinition } from "./tool-types.ts";

/** The fields of a definition that templates render, in the published order. */
export function shownDefinition({ function: { name, description, parameters } }: ToolDefinition): {
  type: "function";
  function: Record<string, unknown>;
} {
  return {
    type: "function",
    function: {
      name,
      ...(description === undefined ? {} : { description }),
      ...(parameters === undefined ? {} : { parameters }),
    },
  };
}

/** Appends calls to `content`, with `gap` between them if it is not empty. */
export function afterContent(content: string, gap: string, calls: string): string {
  return content === "" ? calls : content + gap + calls;
}

/**
 * The members of a call's arguments. What is no JSON object, such as a reply that was cut, is the one member of it, as in
 * templates that take objects only.
 */
export function argumentMembers({ arguments: text }: ToolCall): JsonMembers {
  if (["", "null"].includes(text.trim())) return new Map();
  return (JsonObject.from(text) ?? JsonObject.from(JSON.stringify({ arguments: text }))!).members();
}

/** The arguments of a call; `{}` if they are empty. */
export function argumentsText(call: ToolCall): string {
  return call.arguments.trim() === "" ? "{}" : call.arguments;
}
