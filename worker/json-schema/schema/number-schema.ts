import { AutomatonProblem } from "../automaton/automaton.ts";
import { hasMultipleWithin, multiplesWithin, stepOf } from "../automaton/multiples.ts";
import { highestInteger, lowestInteger } from "../pattern/number-pattern.ts";
import {
  type NumberBound,
  type NumberNode,
  type Path,
  type ReaderContext,
  type Schema,
  type SchemaNode,
  SchemaProblem,
} from "./checked-schema.ts";

/** @throws {SchemaProblem} */
export function readNumber(schema: Schema, integer: boolean, path: Path, context: ReaderContext): SchemaNode {
  const bound = (inclusive: string, exclusive: string, tighter: (a: number, b: number) => boolean) => {
    const limit = finiteNumber(schema, inclusive, path);
    // In draft 4 and OpenAPI 3.0, a boolean that says whether the other bound is exclusive.
    if (typeof schema[exclusive] === "boolean")
      return limit === undefined ? undefined : { value: limit, exclusive: schema[exclusive] };
    const bounds: NumberBound[] = [];
    const value = finiteNumber(schema, exclusive, path);
    if (value !== undefined) bounds.push({ value, exclusive: true });
    if (limit !== undefined) bounds.push({ value: limit, exclusive: false });
    const [first, second] = bounds;
    return second && first && tighter(second.value, first.value) ? second : first;
  };
  const minimum = bound("minimum", "exclusiveMinimum", (a, b) => a > b);
  const maximum = bound("maximum", "exclusiveMaximum", (a, b) => a < b);
  const node: NumberNode = {
    kind: "number",
    integer,
    ...(minimum && { minimum }),
    ...(maximum && { maximum }),
  };
  if (isEmptyRange(node)) throw new SchemaProblem(path, "minimum is greater than maximum.");
  return withMultiples(node, finiteNumber(schema, "multipleOf", path), path, context);
}

function finiteNumber(schema: Schema, keyword: string, path: Path): number | undefined {
  const value = schema[keyword];
  if (value === undefined) return undefined;
  if (typeof value !== "number")
    throw new SchemaProblem([...path, keyword], `${JSON.stringify(value)} is not of type 'number'.`);
  // JSON's 1e400.
  if (!Number.isFinite(value)) throw new SchemaProblem([...path, keyword], "the number is out of range.");
  return value;
}

function withMultiples(
  node: NumberNode,
  multipleOf: number | undefined,
  path: Path,
  context: ReaderContext,
): NumberNode {
  if (multipleOf === undefined) return node;
  if (multipleOf <= 0) {
    const message = `${multipleOf} is less than or equal to the minimum of 0.`;
    throw new SchemaProblem([...path, "multipleOf"], message);
  }
  const step = stepOf(multipleOf, node.integer);
  if (!hasMultipleWithin(step, node))
    throw new SchemaProblem(path, `there is no multiple of ${multipleOf} between minimum and maximum.`);
  try {
    return { ...node, multiples: multiplesWithin(step, node, context.compilation) };
  } catch (error) {
    if (!(error instanceof AutomatonProblem)) throw error;
    context.refuse(path, `'multipleOf' ${multipleOf} is not permitted: ${error.message}`);
    return node;
  }
}

function isEmptyRange({ integer, minimum, maximum }: NumberNode): boolean {
  if (!minimum || !maximum) return false;
  if (integer) return lowestInteger(minimum) > highestInteger(maximum);
  if (minimum.value === maximum.value) return minimum.exclusive || maximum.exclusive;
  return minimum.value > maximum.value;
}
