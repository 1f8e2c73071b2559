import { jsonText } from "../../chat-template/json-object.ts";
import type { ElementTags } from "../../json-schema/arguments-grammar.ts";
import { argumentMembers } from "../call-text.ts";
import type { ToolCall } from "../tool-types.ts";

/** The arguments of a call as elements. */
export function elements(call: ToolCall, { before, after, end }: ElementTags): string {
  const fields = Array.from(
    argumentMembers(call),
    ([key, value]) => before + key + after + (typeof value === "string" ? value : jsonText(value)) + end,
  );
  return fields.join("");
}
