import * as z from "zod/mini";
import { outOfRange } from "./integer-range.ts";

/** Marks issues of `integer` fields, which zod reports as `number`. */
export const EXPECTED_INTEGER = "expected integer";

/**
 * An integer in a range, with OpenAI's codes (`integer_below_min_value`, …). zod reports the range of an integer as
 * that of a number, and rejects integers that are not safe.
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
      const refused = outOfRange(value, { least, most });
      if (refused)
        context.addIssue({ code: "custom", params: { code: refused.code }, message: refused.message });
    }),
  );
}

/** The name of a tool or schema, with OpenAI's codes for one that is empty, too long, or has other characters. */
export function identifier(maxLength: number) {
  const pattern = /^[a-zA-Z0-9_-]+$/;
  const message = `string does not match pattern. Expected a string that matches the pattern '${pattern.source}'`;
  return z.string().check(z.minLength(1), z.maxLength(maxLength), z.regex(pattern, message));
}
