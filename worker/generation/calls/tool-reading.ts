/** How the calls of a reply are read. */

import type { CallFormat } from "../../reply/call-format.ts";
import type { ReaderOptions } from "../../reply/reply-reader.ts";
import { allowedTools } from "../../tools/allowed-tools.ts";
import type { ToolFormat } from "../../tools/formats/tool-format.ts";
import { parameterTypes } from "../../tools/parameter-types.ts";
import type { ChatRequest } from "../chat-request.ts";

/** How the calls of a reply are read: the format, the tools that may be called, and the types of their parameters. */
export function toolReading(chat: ChatRequest, { callFormat }: ToolFormat): ReaderOptions["tools"] {
  const { mode } = chat.toolChoice;
  const { body } = callFormat;
  const functions = chat.tools.map((tool) => tool.function);
  return {
    format: readAs(callFormat, chat),
    names: allowedTools(chat.toolChoice, functions).map(({ name }) => name),
    ...(body ? { types: parameterTypes(chat.tools, body.kind === "nested") } : {}),
    constrained: mode === "required" || mode === "named",
    single: mode === "named" || !chat.parallelToolCalls,
  };
}

/** A reply that must be JSON is not read as a call without its marker. */
function readAs({ unmarked, ...format }: CallFormat, { responseFormat }: ChatRequest): CallFormat {
  return unmarked && responseFormat.type === "text" ? { ...format, unmarked } : format;
}
