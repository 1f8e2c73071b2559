/** Parsed patterns, and what builds them. */

import { type CharacterSet, inBothCases, setOf } from "./pattern-characters.ts";

export type PatternNode =
  | { kind: "set"; set: CharacterSet }
  | { kind: "literal"; text: string }
  | { kind: "sequence" | "choice"; parts: PatternNode[] }
  | { kind: "repeat"; part: PatternNode; min: number; max: number | undefined }
  /** What another pattern matches, which may lead back to this one. */
  | { kind: "rule"; name: string };

export const EMPTY: PatternNode = { kind: "literal", text: "" };

export function text(exact: string): PatternNode {
  return { kind: "literal", text: exact };
}

/** A text in upper or lower case. */
export function caselessText(exact: string): PatternNode {
  const parts = Array.from(exact, (char): PatternNode => ({ kind: "set", set: inBothCases(setOf(char)) }));
  return { kind: "sequence", parts };
}

/** One ASCII character from `low` to `high`. */
export function range(low: string, high: string): PatternNode {
  const [from, to] = [low.charCodeAt(0), high.charCodeAt(0)];
  const ascii = new Set(Array.from({ length: to - from + 1 }, (_, at) => from + at));
  return { kind: "set", set: { ascii, beyond: [] } };
}

export function inOrder(...parts: PatternNode[]): PatternNode {
  return { kind: "sequence", parts };
}

/** Undefined if there is no option, as nothing matches. */
export function either(options: readonly (PatternNode | undefined)[]): PatternNode | undefined {
  const parts = options.filter((option) => option !== undefined);
  return parts.length <= 1 ? parts[0] : { kind: "choice", parts };
}

export function repeated(part: PatternNode, min: number, max: number | undefined): PatternNode {
  return { kind: "repeat", part, min, max };
}

/** Estimates the NFA steps of a pattern without building it; 0 if it only matches "". */
export function stepsOf(node: PatternNode): number {
  switch (node.kind) {
    case "literal":
      return node.text.length;
    case "set":
    case "rule":
      return 1;
    case "sequence":
    case "choice":
      return node.parts.reduce((sum, part) => sum + stepsOf(part), 0);
    case "repeat": {
      const steps = node.max === 0 ? 0 : stepsOf(node.part);
      return steps === 0 ? 0 : steps * Math.max(1, node.min, node.max ?? 1);
    }
  }
}
