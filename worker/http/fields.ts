import { z } from "zod";

/**
 * A whole number in a range, with the codes that OpenAI gives (`integer_below_min_value`, …): zod reports the
 * range of an integer as that of any number.
 */
export function integer(least: number, most = Number.MAX_SAFE_INTEGER) {
  return z.int().superRefine((value, context) => {
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
  });
}
