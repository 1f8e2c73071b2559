/** Converts automata to deterministic grammar rules. */

import type { Automaton, AutomatonState, Edge } from "../automaton/automaton.ts";
import { characterClass, type Expression, literal } from "./grammar-text.ts";

/** What the rules of an automaton are added to. */
interface RuleSink {
  add(rule: string): void;
  /** The expression of another automaton. */
  automaton(automaton: Automaton): Expression;
}

/** Adds the rules of an automaton. @param name prefix of their names */
export function addAutomatonRules({ states, rules }: Automaton, name: string, sink: RuleSink): void {
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
      return [sink.automaton(rules!.get(edge.rule)!) + next(edge.target)];
    });
    if (accepts) options.unshift('""');
    sink.add(`${name}s${at} ::= ${options.join(" | ") || '""'}`);
  }
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
