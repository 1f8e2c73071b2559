import { isObject } from "../../../src/shared/is-object.ts";
import { sortedByName } from "../../../src/shared/sorted-by-name.ts";
import { type Json, JsonNumber, jsonText } from "../../chat-template/json-object.ts";

/**
 * A value as Gemma's templates write it, members sorted.
 *
 * @param value JSON, parsed by JavaScript or by `JsonObject`
 * @param quote the token on both sides of a text
 */
export function escapedValue(value: unknown, quote: string): string {
  if (typeof value === "string") return quote + value + quote;
  if (Array.isArray(value)) return `[${value.map((one) => escapedValue(one, quote)).join(",")}]`;
  if (!isObject(value) || value instanceof JsonNumber) return jsonText(value as Json);
  const members = sortedByName(value instanceof Map ? value : Object.entries(value), ([name]) => name);
  return `{${members.map(([name, field]) => `${name}:${escapedValue(field, quote)}`).join(",")}}`;
}
