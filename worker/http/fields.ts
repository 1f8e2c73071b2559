import * as z from "zod/mini";
import { isObject } from "../../src/shared/is-object.ts";

/** Marks issues of `integer` fields, which zod reports as `number`. */
export const EXPECTED_INTEGER = "expected integer";

/** The values that an integer parameter may have, both ends included. */
export interface IntegerRange {
  least: number;
  most: number;
}

/** `params` of the issue of an `integer` field. */
export interface IntegerIssue {
  range: IntegerRange;
}

/**
 * An integer in a range, with OpenAI's codes (`integer_below_min_value`, …). zod reports the range of an integer as
 * that of a number, and rejects integers that are not safe.
 */
export function integer(least: number, most = Number.MAX_SAFE_INTEGER) {
  return z.number(EXPECTED_INTEGER).check(
    z.refine((value) => Number.isInteger(value) && value >= least && value <= most, {
      params: { range: { least, most } } satisfies IntegerIssue,
    }),
  );
}

/** The name of a tool or schema, with OpenAI's codes for one that is empty, too long, or has other characters. */
export function identifier(maxLength: number) {
  const pattern = /^[a-zA-Z0-9_-]+$/;
  const message = `string does not match pattern. Expected a string that matches the pattern '${pattern.source}'`;
  return z.string().check(z.minLength(1), z.maxLength(maxLength), z.regex(pattern, message));
}

/** In front of a record: refuses a key that zod would drop. */
export const keptKeys = z.transform((value: unknown, { issues }) => {
  if (isObject(value) && Object.hasOwn(value, "__proto__"))
    issues.push({ code: "custom", input: value, message: "no key may be called '__proto__'" });
  return value as Record<string, unknown>;
});

/** An object with any members. */
export const jsonObject = z.pipe(keptKeys, z.record(z.string(), z.unknown()));
