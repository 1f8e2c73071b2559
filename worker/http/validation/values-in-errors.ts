/** Values of requests in the texts of errors. */

import { type ApiError, badRequest } from "../api-error.ts";

/** @param expected with its article, such as `an integer` */
export function wrongType(param: string, expected: string, value: unknown): ApiError {
  return badRequest(
    "invalid_type",
    param,
    `Invalid type for '${param}': expected ${expected}, but got ${kindOf(value)} instead.`,
  );
}

const list = new Intl.ListFormat("en");

/** What the message about a value says about the other values. */
export function supported(values: readonly unknown[]): string {
  return `Supported values are: ${list.format(values.map(shown))}.`;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  // `1e999` in JSON.
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY)
    return "a number that is too large";
  if (typeof value === "number") return Number.isInteger(value) ? "an integer" : "a decimal";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** A value as messages show it: strings in single quotes. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text.replace(/^"(.*)"$/s, "'$1'");
}

/** OpenAI's 400 for an array with more than `most` elements. */
export function tooLongArray(param: string, most: number, length: number): ApiError {
  return badRequest(
    "array_above_max_length",
    param,
    `Invalid '${param}': array too long. Expected an array with maximum length ${most}, but got an array with length ${length} instead.`,
  );
}
