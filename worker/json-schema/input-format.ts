/** Formats of the input of custom tools, as schemas of the function that stands for one. */

import { AutomatonProblem } from "./automaton.ts";
import type { CheckedSchema, SchemaNode } from "./checked-schema.ts";
import type { Compilation } from "./compilation.ts";
import { asJsonString } from "./grammar-pattern.ts";
import { larkPatterns } from "./lark/lark-patterns.ts";
import { ruleAutomaton } from "./lark/rule-automaton.ts";
import { PatternProblem } from "./pattern-characters.ts";
import { inOrder, text } from "./regular.ts";
import { rustPattern } from "./rust-pattern.ts";
import { stringNode } from "./scalar-schema.ts";
import { SchemaProblem } from "./schema-problem.ts";

export type InputFormat =
  | { type: "text" }
  /** A regular expression, as of Rust's crate `regex`, that the whole input matches; or a Lark grammar. */
  | { type: "regex" | "lark"; definition: string };

const MAX_STATES = 20_000;

/** The schema of an object with an input, or an error message. */
export function inputSchema(
  format: InputFormat,
  name: string,
  compilation: Compilation,
): { ok: true; schema: CheckedSchema } | { ok: false; message: string } {
  try {
    const properties = [{ name, schema: inputNode(format, compilation), required: true }];
    const root: SchemaNode = {
      kind: "object",
      properties,
      additional: undefined,
      minProperties: 0,
      maxProperties: undefined,
    };
    return { ok: true, schema: { root, definitions: new Map() } };
  } catch (error) {
    const isKnown =
      error instanceof PatternProblem || error instanceof AutomatonProblem || error instanceof SchemaProblem;
    if (!isKnown) throw error;
    return { ok: false, message: error.message };
  }
}

function inputNode(format: InputFormat, compilation: Compilation): SchemaNode {
  if (format.type === "text") return { kind: "string", minLength: 0, maxLength: undefined };
  const { type, definition } = format;
  const { budget } = compilation;
  const key = `${type} ${definition}`;
  if (type === "regex")
    return stringNode(key, () => rustPattern(definition, budget), compilation, MAX_STATES);
  const { start, rules } = larkPatterns(definition, budget);
  if (rules.size === 0) return stringNode(key, () => start, compilation, MAX_STATES);
  const quoted = inOrder(text('"'), asJsonString(start), text('"'));
  const escaped = new Map(Array.from(rules, ([name, rule]) => [name, asJsonString(rule)]));
  return {
    kind: "pattern",
    automaton: compilation.built(key, () =>
      ruleAutomaton({ start: quoted, rules: escaped }, budget, MAX_STATES),
    ),
    // Whether a plain text has its end is not known across rules: the reader cuts it there.
    plainUntil: () =>
      compilation.built(`plain ${key}`, () => ruleAutomaton({ start, rules }, budget, MAX_STATES)),
  };
}
