/** Merges two schemas that must both match, as far as the same keywords can express it. */

import { isObject } from "../../../src/shared/is-object.ts";
import { leastCommonMultiple } from "../automaton/multiples.ts";
import type { CompileBudget } from "../budget.ts";
import type { Schema } from "./checked-schema.ts";
import { joinPatterns } from "./patterns.ts";

/**
 * Returns the merged schema; or `first` and the keyword that cannot be merged. If that is `additionalProperties`, the
 * schema still has the properties of both, as authors of such objects mean. Names are untrusted: objects have no
 * prototype, so that `constructor` and `__proto__` are plain keys.
 *
 * @throws {BudgetProblem}
 */
export function mergeSchemas(
  first: Schema,
  second: Schema,
  budget: CompileBudget,
): { schema: Schema; conflict?: string | undefined } {
  budget.spend("comparisons", COPIED * Object.keys(first.properties ?? {}).length);
  const isSame: Comparison = (one, other) => haveSameText(one, other, budget);
  const merged = withoutPrototype(first);
  let conflict: string | undefined;
  for (const [keyword, value] of Object.entries(withExclusiveNumbers(second))) {
    const other = merged[keyword];
    if (other === undefined || isSame(other, value)) merged[keyword] = value;
    else {
      const joined = join(keyword, other, value, isSame);
      if (joined !== undefined) merged[keyword] = joined;
      else if (keyword === "additionalProperties") conflict = keyword;
      else return { schema: first, conflict: keyword };
    }
  }
  // A closed object refuses the properties that only the other schema declares.
  const closed = first.additionalProperties !== undefined || second.additionalProperties !== undefined;
  const declares = first.properties !== undefined && second.properties !== undefined;
  if (closed && declares && !isSame(first.properties, second.properties)) conflict = "additionalProperties";
  // In OpenAPI 3.0, a type without `nullable` excludes null; `nullable` alone adds it to another part.
  const types = first.type !== undefined && second.type !== undefined;
  if (types && first.nullable !== second.nullable) merged.nullable = false;
  return { schema: merged, conflict };
}

function withoutPrototype(schema: Schema): Schema {
  return Object.assign(Object.create(null), schema);
}

/** Bounds of draft 4 as of later ones: a boolean makes the bound of its own part exclusive, not that of another part. */
function withExclusiveNumbers(schema: Schema): Schema {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, ...others } = schema;
  return {
    ...others,
    ...laterBound("minimum", "exclusiveMinimum", minimum, exclusiveMinimum),
    ...laterBound("maximum", "exclusiveMaximum", maximum, exclusiveMaximum),
  };
}

function laterBound(inclusive: string, exclusive: string, bound: unknown, other: unknown): Schema {
  if (typeof other === "boolean" && bound !== undefined) return { [other ? exclusive : inclusive]: bound };
  return {
    ...(bound !== undefined && { [inclusive]: bound }),
    ...(other !== undefined && { [exclusive]: other }),
  };
}

type Comparison = (first: unknown, second: unknown) => boolean;

function join(keyword: string, first: unknown, second: unknown, isSame: Comparison): unknown {
  switch (keyword) {
    case "title":
    case "description":
    case "default":
    case "examples":
      return second;
    case "required":
      return [...new Set([...asArray(first), ...asArray(second)])];
    case "pattern":
      return joinPatterns(first, second);
    case "properties":
      return isObject(first) && isObject(second) ? joinProperties(first, second, isSame) : undefined;
    case "type":
    case "enum": {
      const both = asArray(first).filter((one) => asArray(second).some((other) => isSame(one, other)));
      return both.length > 0 ? both : undefined;
    }
    case "minimum":
    case "exclusiveMinimum":
    case "minLength":
    case "minItems":
    case "minProperties":
      return joinNumbers(first, second, Math.max);
    case "maximum":
    case "exclusiveMaximum":
    case "maxLength":
    case "maxItems":
    case "maxProperties":
      return joinNumbers(first, second, Math.min);
    case "multipleOf":
      return joinNumbers(first, second, leastCommonMultiple);
    default:
      return undefined;
  }
}

/** Undefined for what is no number; reading the schema would not notice what a conversion made of it. */
function joinNumbers(
  first: unknown,
  second: unknown,
  choose: (first: number, second: number) => number | undefined,
): number | undefined {
  return typeof first === "number" && typeof second === "number" ? choose(first, second) : undefined;
}

function joinProperties(first: Schema, second: Schema, isSame: Comparison): Schema {
  const joined = withoutPrototype(first);
  for (const [name, schema] of Object.entries(second)) {
    const other = joined[name];
    joined[name] = other === undefined || isSame(other, schema) ? schema : { allOf: [other, schema] };
  }
  return joined;
}

function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** Cost of copying a property, in comparisons. */
const COPIED = 4;

/** Characters per comparison in the budget. */
const CHARACTERS_COMPARED = 64;

function haveSameText(first: unknown, second: unknown, budget: CompileBudget): boolean {
  const [one = "", other = ""] = [JSON.stringify(first), JSON.stringify(second)];
  budget.spend("comparisons", Math.ceil((one.length + other.length) / CHARACTERS_COMPARED));
  return one === other;
}
