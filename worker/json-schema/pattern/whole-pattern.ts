import type { CompileBudget } from "../budget.ts";
import { parsePattern } from "./pattern.ts";
import type { PatternNode } from "./pattern-node.ts";

/** Parses a pattern that matches whole texts. @throws as {@link parsePattern} */
export function wholePattern(source: string, budget: CompileBudget, isCaseless = false): PatternNode {
  const inner = withoutAnchors(source);
  // Parse it alone first: the group below could make an invalid regex valid.
  parsePattern(inner, budget);
  return parsePattern(`^(?:${inner})$`, budget, isCaseless);
}

/** A pattern without redundant anchors at both ends. */
function withoutAnchors(source: string): string {
  const inner = source.startsWith("^") ? source.slice(1) : source;
  if (!inner.endsWith("$")) return inner;
  let begin = inner.length - 1;
  while (inner[begin - 1] === "\\") begin--;
  const isEscaped = (inner.length - 1 - begin) % 2 === 1;
  return isEscaped ? inner : inner.slice(0, -1);
}
