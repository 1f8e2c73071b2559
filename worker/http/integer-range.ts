import { badRequest } from "./api-error.ts";

/** The values that an integer parameter may have, both ends included. */
interface IntegerRange {
  least: number;
  most: number;
}

/**
 * OpenAI's code for an integer outside its range, and its message with `{param}` for the name of the parameter;
 * undefined for one in the range.
 */
export function outOfRange(value: number, { least, most }: IntegerRange) {
  if (value >= least && value <= most) return undefined;
  const [code, word, comparison, limit] =
    value < least
      ? (["integer_below_min_value", "below minimum", ">=", least] as const)
      : (["integer_above_max_value", "above maximum", "<=", most] as const);
  // As a BigInt, so that limits of 64 bits have all their digits.
  const message = `Invalid '{param}': integer ${word} value. Expected a value ${comparison} ${BigInt(limit)}, but got ${value} instead.`;
  return { code, message };
}

/** @throws {ApiError} 400 `integer_below_min_value` or `integer_above_max_value` */
export function requireInRange(param: string, value: number, range: IntegerRange): void {
  const refused = outOfRange(value, range);
  if (refused) throw badRequest(refused.code, param, refused.message.replace("{param}", param));
}
