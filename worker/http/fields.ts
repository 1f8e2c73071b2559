import * as z from "zod/mini";

/** What the issue says where a number was expected and must be a whole one: zod tells only of a number. */
export const EXPECTED_INTEGER = "expected integer";

/**
 * A whole number in a range, with the codes that OpenAI gives (`integer_below_min_value`, …): zod reports the
 * range of an integer as that of any number, and knows none beyond those that a double holds exactly.
 */
export function integer(least: number, most = Number.MAX_SAFE_INTEGER) {
  return z.number(EXPECTED_INTEGER).check(
    z.superRefine((value, context) => {
      if (!Number.isInteger(value)) {
        context.addIssue({
          code: "custom",
          params: { code: "invalid_type" },
          message: "Invalid type for '{param}': expected an integer, but got a decimal instead.",
        });
        return;
      }
      if (value >= least && value <= most) return;
      const [word, bound, comparison, limit] =
        value < least
          ? ["below minimum", "below_min", ">=", least]
          : ["above maximum", "above_max", "<=", most];
      context.addIssue({
        code: "custom",
        params: { code: `integer_${bound}_value` },
        message: `Invalid '{param}': integer ${word} value. Expected a value ${comparison} ${limit}, but got ${value} instead.`,
      });
    }),
  );
}
