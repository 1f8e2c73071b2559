import { type ApiError, badRequest } from "../api-error.ts";
import type { IntegerRange } from "./fields.ts";

/** @throws {ApiError} as of {@link integerOutOfRange} */
export function requireInRange(param: string, value: number, range: IntegerRange): void {
  if (value < range.least || value > range.most) throw integerOutOfRange(param, value, range);
}

/** OpenAI's 400 `integer_below_min_value` or `integer_above_max_value`. */
export function integerOutOfRange(param: string, value: number, { least, most }: IntegerRange): ApiError {
  const [code, word, comparison, limit] =
    value < least
      ? (["integer_below_min_value", "below minimum", ">=", least] as const)
      : (["integer_above_max_value", "above maximum", "<=", most] as const);
  // As a BigInt, so that limits of 64 bits have all their digits.
  const message = `Invalid '${param}': integer ${word} value. Expected a value ${comparison} ${BigInt(limit)}, but got ${value} instead.`;
  return badRequest(code, param, message);
}
