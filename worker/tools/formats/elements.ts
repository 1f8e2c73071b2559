import { jsonText } from "../../chat-template/json-object.ts";
import type { ElementTags } from "../../json-schema/element-arguments.ts";
import { argumentMembers } from "../call-text.ts";
import type { ToolCall } from "../tool-types.ts";

/** The arguments of a call as elements. */
export function elements(call: ToolCall, { before, after, types, end }: ElementTags): string {
  const fields = Array.from(argumentMembers(call), ([key, value]) => {
    const [type, text] = typeof value === "string" ? [types?.text, value] : [types?.other, jsonText(value)];
    return before + key + after + (type ?? "") + text + end;
  });
  return fields.join("");
}
