/** Patterns of JSON strings. */

import { either, inOrder, type PatternNode, text } from "./pattern-node.ts";

/** Short escapes of characters that a JSON string must escape. */
const ESCAPES: Record<number, string> = {
  8: "\\b",
  9: "\\t",
  10: "\\n",
  12: "\\f",
  13: "\\r",
  34: '\\"',
  92: "\\\\",
};

/** The pattern of the JSON-escaped text, without quotes, of what `node` matches. */
export function asJsonString(node: PatternNode): PatternNode {
  switch (node.kind) {
    case "rule":
      return node;
    case "literal":
      return text(JSON.stringify(node.text).slice(1, -1));
    case "sequence":
    case "choice":
      return { kind: node.kind, parts: node.parts.map(asJsonString) };
    case "repeat":
      return { ...node, part: asJsonString(node.part) };
    case "set": {
      const plain = [...node.set.ascii].filter((code) => code >= 0x20 && !(code in ESCAPES));
      const escaped = Object.entries(ESCAPES).filter(([code]) => node.set.ascii.has(Number(code)));
      const set: PatternNode = { kind: "set", set: { ascii: new Set(plain), beyond: node.set.beyond } };
      return either([set, ...escaped.map(([, written]) => text(written))])!;
    }
  }
}

/** The pattern of the JSON strings of what `node` matches. */
export function jsonString(node: PatternNode): PatternNode {
  return inOrder(text('"'), asJsonString(node), text('"'));
}
