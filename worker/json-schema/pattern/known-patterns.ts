/** Patterns with lookaround that libraries write for common types, as patterns without it. */

import { formatPattern } from "./formats.ts";

/** Zod's, and the formats whose texts here all match them. */
const PATTERNS_OF_ZOD: Record<string, string> = {
  "^P(?:(\\d+W)|(?!.*W)(?=\\d|T\\d)(\\d+Y)?(\\d+M)?(\\d+D)?(T(?=\\d)(\\d+H)?(\\d+M)?(\\d+([.,]\\d+)?S)?)?)$":
    "duration",
  // Of older releases.
  "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$":
    "email",
};

/** How Pydantic's patterns of `Decimal` begin: not with signs alone. */
const DECIMAL = "^(?!^[-+.]*$)[+-]?0*";
/** With `decimal_places` or neither, or with `max_digits` as well. */
const DECIMAL_REST =
  /^(?:\\d\*\\\.\?\\d(?:\*|\{0,(?<places>\d+)\}0\*)\$|\(\?:\\d\{0,(?<whole>\d+)\}\|\(\?=\[\\d\.\]\{1,(?<length>\d+)\}0\*\$\)\\d\{0,\d+\}\\\.\\d\{0,(?<most>\d+)\}0\*\$\))$/;

/** A pattern without lookaround whose texts all match this one, if one is known; otherwise this one. */
export function expressible(pattern: string): string {
  const format = Object.hasOwn(PATTERNS_OF_ZOD, pattern) ? PATTERNS_OF_ZOD[pattern]! : "";
  return formatPattern(format) ?? decimalPattern(pattern) ?? pattern;
}

function decimalPattern(pattern: string): string | undefined {
  if (!pattern.startsWith(DECIMAL)) return undefined;
  const match = DECIMAL_REST.exec(pattern.slice(DECIMAL.length));
  if (!match) return undefined;
  const { places, whole, length, most } = match.groups!;
  if (whole === undefined) return `^[+-]?\\d+(\\.\\d${places === undefined ? "*" : `{0,${places}}`})?$`;
  const before = whole === "0" ? "0" : `\\d{1,${whole}}`;
  // `length` counts the point as well.
  return `^[+-]?${before}(\\.\\d{0,${Math.min(Number(most), Number(length) - 1)}})?$`;
}
