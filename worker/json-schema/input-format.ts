/** Formats of the input of custom tools, as schemas of the function that stands for one. */

import { type ArgumentsDialect, argumentsGrammar } from "./arguments/arguments-grammar.ts";
import type { Compilation } from "./compilation.ts";
import { larkPatterns } from "./lark/lark-patterns.ts";
import { ruleAutomaton } from "./lark/rule-automaton.ts";
import { asJsonString, jsonString } from "./pattern/json-string.ts";
import { PatternProblem, requireCharacters } from "./pattern/pattern-characters.ts";
import { rustPattern } from "./pattern/rust-pattern.ts";
import { grammarOrMessage, MAX_TEXT_CHARACTERS, MAX_TEXT_STATES } from "./plain-text.ts";
import { type MatchNode, objectNode, type SchemaNode } from "./schema/checked-schema.ts";
import { stringNode } from "./schema/string-schema.ts";
import type { GrammarResult } from "./schema-problem.ts";

export type InputFormat =
  | { type: "text" }
  /** A regular expression, as of Rust's crate `regex`, that the whole input matches; or a Lark grammar. */
  | { type: "regex" | "lark"; definition: string };

/** The grammar of an object with an input that has this name, or an error message. */
export function compileInput(
  format: InputFormat,
  name: string,
  dialect: ArgumentsDialect,
  compilation: Compilation,
): GrammarResult {
  return grammarOrMessage(() => {
    const root = objectNode([{ name, schema: inputNode(format, compilation), required: true }]);
    return argumentsGrammar({ root, definitions: new Map() }, dialect, compilation);
  });
}

function inputNode(format: InputFormat, compilation: Compilation): SchemaNode {
  if (format.type === "text") return { kind: "string", minLength: 0, maxLength: undefined };
  if (format.definition.length > MAX_TEXT_CHARACTERS)
    throw new PatternProblem(`the grammar is longer than ${MAX_TEXT_CHARACTERS} characters.`);
  requireCharacters(format.definition);
  return { ...patternOf(format, compilation), isRequired: true };
}

function patternOf(
  { type, definition }: Extract<InputFormat, { definition: string }>,
  compilation: Compilation,
): MatchNode {
  const { budget } = compilation;
  const key = `${type} ${definition}`;
  if (type === "regex")
    return stringNode(key, () => rustPattern(definition, budget), compilation, MAX_TEXT_STATES);
  const { start, rules } = larkPatterns(definition, budget);
  if (rules.size === 0) return stringNode(key, () => start, compilation, MAX_TEXT_STATES);
  const escaped = new Map(Array.from(rules, ([name, rule]) => [name, asJsonString(rule)]));
  return {
    kind: "pattern",
    automaton: compilation.cached(key, () =>
      ruleAutomaton({ start: jsonString(start), rules: escaped }, budget, MAX_TEXT_STATES),
    ),
    // Whether a plain text has its end is not known across rules: the reader cuts it there.
    plainUntil: () =>
      compilation.cached(`plain ${key}`, () => ruleAutomaton({ start, rules }, budget, MAX_TEXT_STATES)),
  };
}
