/** Minimum and maximum counts: of characters, items and properties. */

import { type Path, type Schema, SchemaProblem } from "./checked-schema.ts";

/** Larger maximums are ignored, as no reply is that long; larger minimums are refused. */
const MAX_COUNTED = 100_000;

/** @throws {SchemaProblem} unless both are non-negative integers in order */
export function readCounts(
  schema: Schema,
  lower: string,
  upper: string,
  path: Path,
): { min: number; max: number | undefined } {
  const count = (keyword: string): number | undefined => {
    const value = schema[keyword];
    if (value === undefined) return undefined;
    if (Number.isInteger(value) && Number(value) >= 0) return Number(value);
    throw new SchemaProblem([...path, keyword], `${JSON.stringify(value)} is not a count.`);
  };
  const min = count(lower) ?? 0;
  const max = count(upper);
  if (max !== undefined && min > max) throw new SchemaProblem(path, `'${lower}' is greater than '${upper}'.`);
  if (min > MAX_COUNTED)
    throw new SchemaProblem([...path, lower], `${min} exceeds the limit of ${MAX_COUNTED}.`);
  return { min, max: max !== undefined && max > MAX_COUNTED ? undefined : max };
}
