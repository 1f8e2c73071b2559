/** Plain-text formats: a regular expression, or one of several choices. */

import { AutomatonProblem } from "./automaton/automaton.ts";
import type { Compilation } from "./compilation.ts";
import { GrammarRules } from "./grammar/grammar-rules.ts";
import { PatternProblem, requireCharacters } from "./pattern/pattern-characters.ts";
import { either, type PatternNode, text } from "./pattern/pattern-node.ts";
import { wholePattern } from "./pattern/whole-pattern.ts";
import { type GrammarResult, SchemaProblem } from "./schema-problem.ts";

export type TextFormat = { type: "regex"; pattern: string } | { type: "choice"; options: readonly string[] };

/** Of a pattern that is all that a text has to match. */
export const MAX_TEXT_STATES = 20_000;
/** Of the pattern itself. */
export const MAX_TEXT_CHARACTERS = 64 * 1024;

/** The grammar of texts that fully match a regex or equal one of the options; or an error message. */
export function compileText(format: TextFormat, compilation: Compilation): GrammarResult {
  return grammarOrMessage(() => {
    const pattern = (): PatternNode =>
      format.type === "regex"
        ? wholePattern(format.pattern, compilation.budget)
        : either(format.options.map(text))!;
    if (format.type === "regex" && format.pattern.length > MAX_TEXT_CHARACTERS)
      throw new PatternProblem(`the pattern is longer than ${MAX_TEXT_CHARACTERS} characters.`);
    requireCharacters(format.type === "regex" ? format.pattern : format.options.join("\n"));
    const automaton = compilation.automaton(JSON.stringify(format), pattern, MAX_TEXT_STATES);
    const rules = new GrammarRules(compilation.budget);
    const root = rules.automaton(automaton);
    return [`root ::= ${root}`, ...rules.all].join("\n");
  });
}

/** What `write` returns; or what it says of a pattern that cannot be enforced. */
export function grammarOrMessage(write: () => string): GrammarResult {
  try {
    return { ok: true, grammar: write() };
  } catch (error) {
    const isKnown =
      error instanceof PatternProblem || error instanceof AutomatonProblem || error instanceof SchemaProblem;
    if (!isKnown) throw error;
    return { ok: false, message: error.message };
  }
}
