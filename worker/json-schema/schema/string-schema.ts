import { type Automaton, AutomatonProblem, buildAutomaton, requireShort } from "../automaton/automaton.ts";
import { intersection, withoutDeadEnds, withoutText } from "../automaton/automaton-operations.ts";
import { type Lengths, withLengths } from "../automaton/lengths.ts";
import type { Compilation } from "../compilation.ts";
import { formatPattern } from "../pattern/formats.ts";
import { jsonString } from "../pattern/json-string.ts";
import { expressible } from "../pattern/known-patterns.ts";
import { parsePattern } from "../pattern/pattern.ts";
import { PatternProblem } from "../pattern/pattern-characters.ts";
import type { PatternNode } from "../pattern/pattern-node.ts";
import {
  type MatchNode,
  type Path,
  type ReaderContext,
  type Schema,
  type SchemaNode,
  SchemaProblem,
} from "./checked-schema.ts";
import { readCounts } from "./counts.ts";
import { sourcesOf } from "./patterns.ts";

const MAX_PATTERN_STATES = 2000;

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
  node: MatchNode;
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
    return compilation.cached(`lengths ${min} ${max} ${source}`, () =>
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
  { pattern, format, maxLength }: Schema,
  path: Path,
  context: ReaderContext,
): StringPattern | undefined {
  const sources = sourcesOf(pattern);
  if (pattern !== undefined && !sources)
    throw new SchemaProblem([...path, "pattern"], "pattern is not of type 'string'.");
  if (format !== undefined && typeof format !== "string") {
    throw new SchemaProblem([...path, "format"], "format is not of type 'string'.");
  }
  const [first, ...others] = (sources ?? []).flatMap((source) => {
    const read = () => stringPattern(expressible(source), context, MAX_PATTERN_STATES);
    return enforced(read, path, context) ?? [];
  });
  const joined = others.reduce(
    (all, one) => all && (enforced(() => bothPatterns(all, one, context), path, context) ?? all),
    first,
  );
  if (joined) return { ...joined, longest: Number.POSITIVE_INFINITY };
  const meant = format === undefined ? undefined : formatPattern(format, maxLength !== undefined);
  if (format !== undefined && meant === undefined && pattern === undefined)
    context.refuse(path, `'${format}' is not a valid format.`);
  return meant === undefined ? undefined : { ...stringPattern(meant, context), longest: LONGEST_OF_FORMAT };
}

/** Undefined for a pattern that cannot be enforced. */
function enforced<T>(read: () => T, path: Path, context: ReaderContext): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof PatternProblem || error instanceof AutomatonProblem)) throw error;
    context.refuse(path, `in 'pattern', ${error.message}`);
    return undefined;
  }
}

/** @throws {AutomatonProblem} */
function bothPatterns(
  first: Omit<StringPattern, "longest">,
  second: Omit<StringPattern, "longest">,
  { compilation }: ReaderContext,
): Omit<StringPattern, "longest"> {
  const source = `${first.source.length} ${first.source}${second.source}`;
  const automaton = compilation.cached(`both ${source}`, () => {
    const { budget } = compilation;
    const left = budget.left("states of joined patterns");
    const both = intersection(first.node.automaton, second.node.automaton, budget, left);
    // As for lengths: many failures cost no more than two.
    budget.spend("states of joined patterns", both ? both.states.length : Math.ceil(left / 2));
    if (!both) throw new AutomatonProblem("the patterns together are too complex.");
    return withoutDeadEnds(both);
  });
  return { source, node: { kind: "pattern", automaton } };
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
): MatchNode {
  const escaped = (): PatternNode => {
    const node = pattern();
    // Before a set of characters for JSON is made of each one.
    if (maxStates !== undefined) requireShort(node, maxStates);
    return jsonString(node);
  };
  return {
    kind: "pattern",
    automaton: compilation.automaton(key, escaped, maxStates),
    plainUntil: (end) =>
      compilation.cached(`plain ${JSON.stringify(end)} ${key}`, () => {
        const { budget } = compilation;
        return withoutDeadEnds(withoutText(buildAutomaton(pattern(), budget, maxStates), end, budget));
      }),
  };
}
