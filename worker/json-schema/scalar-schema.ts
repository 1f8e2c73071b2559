/** Strings and numbers. */

import { type Automaton, AutomatonProblem, buildAutomaton } from "./automaton.ts";
import { withoutText } from "./automaton-operations.ts";
import {
  type NumberBound,
  type NumberNode,
  type Path,
  type ReaderContext,
  type Schema,
  type SchemaNode,
  SchemaProblem,
} from "./checked-schema.ts";
import type { Compilation } from "./compilation.ts";
import { formatPattern } from "./formats.ts";
import { highestInteger, lowestInteger } from "./grammar-numbers.ts";
import { asJsonString } from "./grammar-pattern.ts";
import { expressible } from "./known-patterns.ts";
import { type Lengths, withLengths } from "./lengths.ts";
import { withoutDeadEnds } from "./live-states.ts";
import { hasMultipleWithin, multiplesWithin, stepOf } from "./multiples.ts";
import { parsePattern } from "./pattern.ts";
import { PatternProblem } from "./pattern-characters.ts";
import type { PatternNode } from "./pattern-node.ts";
import { inOrder, text } from "./regular.ts";

const MAX_PATTERN_STATES = 2000;

/** Larger maximums are ignored, as no reply is that long; larger minimums are refused. */
const MAX_COUNTED = 100_000;

/** @throws {SchemaProblem} */
export function readString(schema: Schema, path: Path, context: ReaderContext): SchemaNode {
  const { min: minLength, max: maxLength } = readCounts(schema, "minLength", "maxLength", path);
  const pattern = readPattern(schema, path, context);
  if (!pattern) return { kind: "string", minLength, maxLength };
  if (minLength === 0 && maxLength === undefined) return pattern.node;
  const { longest } = pattern;
  const max = maxLength === undefined || minLength > longest ? maxLength : Math.min(maxLength, longest);
  return { kind: "pattern", automaton: counted(pattern, { min: minLength, max }, path, context) };
}

/** Texts of formats are seldom longer. A state for each character of Pydantic's URLs, 2,083, would be too many. */
const LONGEST_OF_FORMAT = 250;

interface StringPattern {
  source: string;
  /** A maximum beyond it is taken as this. */
  longest: number;
  node: Extract<SchemaNode, { kind: "pattern" }>;
}

function counted(
  { source, node: { automaton } }: StringPattern,
  lengths: Lengths,
  path: Path,
  context: ReaderContext,
): Automaton {
  const { min, max } = lengths;
  const { compilation } = context;
  try {
    return compilation.built(`lengths ${min} ${max} ${source}`, () =>
      withoutDeadEnds(withLengths(automaton, lengths, compilation.budget)),
    );
  } catch (error) {
    if (!(error instanceof AutomatonProblem)) throw error;
    const message = `'minLength' and 'maxLength' are not permitted beside this 'pattern' or 'format': ${error.message}`;
    context.refuse(path, message);
    return automaton;
  }
}

/** A pattern takes precedence over a format. */
function readPattern(
  { pattern, format }: Schema,
  path: Path,
  context: ReaderContext,
): StringPattern | undefined {
  if (pattern !== undefined && typeof pattern !== "string") {
    throw new SchemaProblem([...path, "pattern"], "pattern is not of type 'string'.");
  }
  if (format !== undefined && typeof format !== "string") {
    throw new SchemaProblem([...path, "format"], "format is not of type 'string'.");
  }
  try {
    if (pattern !== undefined)
      return {
        ...stringPattern(expressible(pattern), context, MAX_PATTERN_STATES),
        longest: Number.POSITIVE_INFINITY,
      };
  } catch (error) {
    if (!(error instanceof PatternProblem || error instanceof AutomatonProblem)) throw error;
    context.refuse(path, `in 'pattern', ${error.message}`);
  }
  const meant = format === undefined ? undefined : formatPattern(format);
  return meant === undefined ? undefined : { ...stringPattern(meant, context), longest: LONGEST_OF_FORMAT };
}

/** @throws {AutomatonProblem} */
function stringPattern(
  source: string,
  { compilation }: ReaderContext,
  maxStates?: number,
): Omit<StringPattern, "longest"> {
  const parse = () => parsePattern(source, compilation.budget);
  return { source, node: stringNode(`pattern ${source}`, parse, compilation, maxStates) };
}

/**
 * The strings that match a pattern.
 *
 * @param key equal for equal patterns
 * @throws {AutomatonProblem}
 */
export function stringNode(
  key: string,
  pattern: () => PatternNode,
  compilation: Compilation,
  maxStates?: number,
): Extract<SchemaNode, { kind: "pattern" }> {
  const quoted = () => inOrder(text('"'), asJsonString(pattern()), text('"'));
  return {
    kind: "pattern",
    automaton: compilation.automaton(key, quoted, maxStates),
    plainUntil: (end) =>
      compilation.built(`plain ${JSON.stringify(end)} ${key}`, () => {
        const { budget } = compilation;
        return withoutDeadEnds(withoutText(buildAutomaton(pattern(), budget, maxStates), end, budget));
      }),
  };
}

/** @throws {SchemaProblem} */
export function readNumber(schema: Schema, integer: boolean, path: Path, context: ReaderContext): SchemaNode {
  const bound = (inclusive: string, exclusive: string, tighter: (a: number, b: number) => boolean) => {
    const bounds: NumberBound[] = [];
    for (const [keyword, isExclusive] of [
      [exclusive, true],
      [inclusive, false],
    ] as const) {
      const value = finiteNumber(schema, keyword, path);
      if (value !== undefined) bounds.push({ value, exclusive: isExclusive });
    }
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
