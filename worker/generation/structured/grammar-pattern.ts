import { characterClass, choice, type Expression, literal, repeat, sequence } from "./grammar-text.ts";
import type { CharacterSet, PatternNode } from "./pattern.ts";

/** Characters that stand in a JSON string only behind a backslash, and how. */
const ESCAPES: Record<number, string> = {
  8: "\\b",
  9: "\\t",
  10: "\\n",
  12: "\\f",
  13: "\\r",
  34: '\\"',
  92: "\\\\",
};

/** The inside of a JSON string whose value matches the pattern. */
export function patternExpression(node: PatternNode): Expression {
  switch (node.kind) {
    case "literal":
      return literal(JSON.stringify(node.text).slice(1, -1));
    case "sequence":
      return sequence(...node.parts.map(patternExpression));
    case "choice":
      return choice(node.parts.map(patternExpression)) ?? '""';
    case "repeat":
      return repeat(patternExpression(node.part), node.min, node.max);
    case "set":
      return setExpression(node.set);
  }
}

function setExpression({ ascii, beyond }: CharacterSet): Expression {
  const plain = Array.from({ length: 0x60 }, (_, at) => at + 0x20).filter((code) => !(code in ESCAPES));
  const options: (Expression | undefined)[] = [];
  if (beyond === "all") {
    const controls = Array.from({ length: 0x20 }, (_, code) => code);
    const excluded = plain.filter((code) => !ascii.has(code));
    options.push(characterClass([...controls, 0x22, 0x5c, ...excluded], true));
  } else {
    const included = plain.filter((code) => ascii.has(code));
    if (included.length > 0) options.push(characterClass(included));
    options.push(...beyond.map(literal));
  }
  for (const [code, written] of Object.entries(ESCAPES)) {
    if (ascii.has(Number(code))) options.push(literal(written));
  }
  // A class of control characters alone: what no reply can hold is written as its escape.
  return choice(options) ?? literal("\\u0000");
}
