/** Regular expressions of custom tools, whose syntax is that of Rust's crate `regex`, as at OpenAI. */

import type { CompileBudget } from "./budget.ts";
import type { PatternNode } from "./pattern.ts";
import { type CharacterSet, PatternProblem } from "./pattern-characters.ts";
import { wholePattern } from "./plain-text.ts";

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
  const node = wholePattern(toEcma(source.slice(leading.length), set), budget);
  return set.i ? caseless(node) : node;
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

/** The same with letters of both cases. */
export function caseless(node: PatternNode): PatternNode {
  switch (node.kind) {
    case "rule":
      return node;
    case "literal":
      return {
        kind: "sequence",
        parts: [...node.text].map((char) => ({ kind: "set", set: bothCases(char) })),
      };
    case "set": {
      const { ascii, beyond } = node.set;
      const sets = [
        ...[...ascii].map((code) => String.fromCharCode(code)),
        ...(beyond === "all" ? [] : beyond),
      ];
      const both = sets.map(bothCases);
      return {
        kind: "set",
        set: {
          ascii: new Set(both.flatMap((one) => [...one.ascii])),
          beyond: beyond === "all" ? "all" : both.flatMap((one) => one.beyond as string[]),
        },
      };
    }
    case "repeat":
      return { ...node, part: caseless(node.part) };
    default:
      return { ...node, parts: node.parts.map(caseless) };
  }
}

function bothCases(char: string): CharacterSet {
  const forms = [char, char.toLowerCase(), char.toUpperCase()].filter((one) => [...one].length === 1);
  const codes = forms.map((one) => one.codePointAt(0)!);
  return {
    ascii: new Set(codes.filter((code) => code < 0x80)),
    beyond: [...new Set(forms.filter((one) => one > "\x7f"))],
  };
}
