import { type Json, JsonNumber, jsonText } from "../../chat-template/json-object.ts";
import type { ElementTags } from "../../json-schema/arguments/element-arguments.ts";
import { argumentMembers } from "../call-text.ts";
import type { ToolCall } from "../tool-types.ts";

/** The arguments of a call as elements. */
export function elements(call: ToolCall, { before, after, types, end }: ElementTags): string {
  const fields = Array.from(argumentMembers(call), ([key, value]) => {
    const isText = typeof value === "string";
    const type = isText ? types?.text : otherType(value, types);
    const text = isText ? value : jsonText(value);
    return before + key + after + (type ?? "") + text + end;
  });
  return fields.join("");
}

function otherType(value: Json, types: ElementTags["types"]): string | undefined {
  const other = types?.other;
  if (other === undefined || typeof other === "string") return other;
  if (value instanceof JsonNumber) return other.number;
  if (value === null) return other.null;
  if (typeof value === "boolean") return other.boolean;
  return Array.isArray(value) ? other.array : other.object;
}
