import * as z from "zod/mini";
import { isObject } from "../../../src/shared/is-object.ts";

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

/** In front of a record: refuses `__proto__`, which zod would drop. */
export const withoutProtoKey = z.transform((value: unknown, { issues }) => {
  if (isObject(value) && Object.hasOwn(value, "__proto__"))
    issues.push({ code: "custom", input: value, message: "no key may be called '__proto__'" });
  return value as Record<string, unknown>;
});

/** An object with any members. */
export const jsonObject = z.pipe(withoutProtoKey, z.record(z.string(), z.unknown()));
