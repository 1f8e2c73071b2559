import { type Json, jsonText } from "../../chat-template/json-object.ts";
import { argumentMembers } from "../call-text.ts";
import { respaceJson } from "../python-json.ts";
import type { ToolCall } from "../tool-types.ts";

/**
 * `f(key="value")`.
 *
 * @param literal writes a value. @default Python's literals
 */
export function pythonCall(call: ToolCall, literal: (value: Json) => string = pythonLiteral): string {
  const fields = Array.from(argumentMembers(call), ([key, value]) => `${key}=${literal(value)}`);
  return `${call.name}(${fields.join(", ")})`;
}

/** A value as JSON, for models that write it in Python's calls. */
export function jsonLiteral(value: Json): string {
  return respaceJson(jsonText(value));
}

function pythonLiteral(value: Json): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(", ")}]`;
  if (!(value instanceof Map)) return jsonText(value);
  const fields = Array.from(value, ([key, item]) => `${JSON.stringify(key)}: ${pythonLiteral(item)}`);
  return `{${fields.join(", ")}}`;
}
