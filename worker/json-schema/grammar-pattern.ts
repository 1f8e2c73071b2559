/** Converts patterns to deterministic grammar rules. */

import type { Automaton, AutomatonState, Edge } from "./automaton.ts";
import { characterClass, type Expression, literal } from "./grammar-text.ts";
import type { PatternNode } from "./pattern-node.ts";
import { either, text } from "./regular.ts";

/**
 * Adds the rules of an automaton and returns an expression that refers to them.
 *
 * @param name prefix of the rule names
 * @param follow gives the expression of another automaton
 */
export function automatonRules(
  { states, rules }: Automaton,
  name: string,
  addRule: (rule: string) => void,
  follow?: (rule: Automaton) => Expression,
): Expression {
  const written = new Set<number>();
  const pending = [0];
  const next = (target: number): string => {
    const { accepts, edges } = states[target]!;
    if (accepts && edges.length === 0) return "";
    pending.push(target);
    return ` ${name}s${target}`;
  };
  for (const at of pending) {
    if (written.has(at)) continue;
    written.add(at);
    const { accepts, edges } = states[at]!;
    const options = edges.flatMap((edge) => {
      if (edge.rule === undefined) return edgeExpressions(edge, states, next);
      return [follow!(rules!.get(edge.rule)!) + next(edge.target)];
    });
    if (accepts) options.unshift('""');
    addRule(`${name}s${at} ::= ${options.join(" | ") || '""'}`);
  }
  return firstRule(name);
}

/** The expression of an automaton whose rules have this prefix. */
export function firstRule(name: string): Expression {
  return `${name}s0`;
}

/** @param follow gives what follows in a state, with a space before it */
function edgeExpressions(
  edge: Edge,
  states: readonly AutomatonState[],
  follow: (target: number) => string,
): Expression[] {
  const single = singleCharacter(edge);
  if (single !== undefined) {
    const [chars, target] = chain(single, edge.target, states);
    return [literal(chars) + follow(target)];
  }
  const next = follow(edge.target);
  const classes = edge.beyond.map((char) => literal(char) + next);
  if (edge.others) {
    const excluded = ASCII.filter((code) => !edge.ascii.includes(code));
    return [characterClass(excluded, true) + next, ...classes];
  }
  return edge.ascii.length === 0 ? classes : [characterClass(edge.ascii) + next, ...classes];
}

const ASCII = Array.from({ length: 0x80 }, (_, code) => code);

/** Merges characters with a single successor into one literal. */
function chain(first: string, from: number, states: readonly AutomatonState[]): [string, number] {
  let chars = first;
  let at = from;
  while (!states[at]!.accepts && states[at]!.edges.length === 1) {
    const edge = states[at]!.edges[0]!;
    const single = singleCharacter(edge);
    if (single === undefined || edge.target === from) break;
    chars += single;
    at = edge.target;
  }
  return [chars, at];
}

function singleCharacter({ ascii, beyond, others, rule }: Edge): string | undefined {
  if (others || rule !== undefined || ascii.length + beyond.length !== 1) return undefined;
  return beyond[0] ?? String.fromCharCode(ascii[0]!);
}

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
