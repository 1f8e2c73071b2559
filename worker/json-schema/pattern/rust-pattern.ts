/** Regular expressions of custom tools, whose syntax is that of Rust's crate `regex`, as at OpenAI. */

import type { CompileBudget } from "../budget.ts";
import { PatternProblem } from "./pattern-characters.ts";
import type { PatternNode } from "./pattern-node.ts";
import { wholePattern } from "./whole-pattern.ts";

/** Escapes and what is written otherwise in ECMAScript. */
const PIECES =
  /\\x\{|\\[Az]|\\.|\(\?P<|\(\?[a-zA-Z-]+[:)]|\{,(?=\d+\})|\[\^?\]?|\]|\.|&&|--|~~|[^\\([\].{&~-]+|./gsu;
const LEADING_FLAGS = /^\(\?([a-zA-Z]+)\)/;

interface PatternFlags {
  /** Upper and lower case are equal. */
  i?: boolean;
  /** A dot is any character. */
  s?: boolean;
}

/**
 * Parses a regular expression that matches whole texts.
 *
 * @param flags besides those at its beginning, such as `(?i)`
 * @throws {PatternProblem}
 * @throws {BudgetProblem}
 */
export function rustPattern(source: string, budget: CompileBudget, flags = ""): PatternNode {
  const [leading = "", given = ""] = LEADING_FLAGS.exec(source) ?? [];
  const set = readFlags(flags + given);
  return wholePattern(toEcma(source.slice(leading.length), set), budget, set.i);
}

/** @throws {PatternProblem} */
function readFlags(letters: string): PatternFlags {
  const unknown = /[^isu]/.exec(letters);
  if (unknown) throw new PatternProblem(`the flag '${unknown[0]}' is not supported.`);
  return { i: letters.includes("i"), s: letters.includes("s") };
}

/** @throws {PatternProblem} */
function toEcma(source: string, flags: PatternFlags): string {
  let isInClass = false;
  const dot = flags.s ? "[^]" : "[^\\n]";
  return source.replace(PIECES, (piece) => {
    if (piece === "\\x{") return "\\u{";
    if (isInClass) {
      if (piece.startsWith("[") || ["&&", "--", "~~"].includes(piece))
        throw new PatternProblem("classes in classes are not supported.");
      isInClass = piece !== "]";
      return piece;
    }
    if (piece.startsWith("[")) {
      isInClass = true;
      // A bracket that comes first is a character.
      return piece.replace("]", "\\]");
    }
    switch (piece) {
      case "\\A":
        return "^";
      case "\\z":
        return "$";
      case "(?P<":
        return "(?<";
      case "{,":
        return "{0,";
      case ".":
        return dot;
    }
    if (/^\(\?[a-zA-Z-]/.test(piece)) throw new PatternProblem("flags are supported at the beginning only.");
    return piece;
  });
}
