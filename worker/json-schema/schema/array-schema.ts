import {
  type Path,
  type ReaderContext,
  type Schema,
  type SchemaNode,
  SchemaProblem,
} from "./checked-schema.ts";
import { readCounts } from "./counts.ts";
import { falseProblem, isFalse } from "./false-schema.ts";

/** @throws {SchemaProblem} */
export function readArray(schema: Schema, path: Path, context: ReaderContext): SchemaNode {
  // Before 2020-12, tuples were an `items` array, with `additionalItems` for the rest.
  const tuple = Array.isArray(schema.items) ? schema.items : schema.prefixItems;
  const rest = Array.isArray(schema.items) ? schema.additionalItems : schema.items;
  if (tuple !== undefined && !Array.isArray(tuple))
    throw new SchemaProblem([...path, "prefixItems"], "'prefixItems' is not of type 'array'.");
  if (context.strict && rest === undefined && tuple === undefined)
    throw new SchemaProblem(path, "array schema missing items.");
  const { min, max: limit } = readCounts(schema, "minItems", "maxItems", path);
  const end = tuple?.findIndex((one) => isFalse(one, context.strict)) ?? -1;
  const max = end < 0 ? limit : Math.min(end, limit ?? end);
  if (max !== undefined && min > max) throw falseProblem([...path, "prefixItems", max]);
  const prefix = (tuple ?? [])
    .slice(0, max)
    .map((one, at) => context.read(one, [...path, "prefixItems", at]));
  const items =
    isFalse(rest, context.strict) || max === prefix.length
      ? undefined
      : context.read(rest ?? true, [...path, "items"]);
  if (!items && min > prefix.length)
    throw new SchemaProblem(path, "'minItems' is greater than the number of items.");
  return { kind: "array", prefix, items, minItems: min, maxItems: max };
}
