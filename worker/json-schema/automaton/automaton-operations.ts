/** Operations on automata without rules; `minimized` is for ASCII texts only. */

import type { CompileBudget } from "../budget.ts";
import { type Automaton, AutomatonProblem, type AutomatonState, type Edge, edgeTo } from "./automaton.ts";

/**
 * The automaton of the texts that both accept, with dead ends; undefined if it has more than `maxStates`.
 *
 * @throws {BudgetProblem}
 */
export function intersection(
  first: Automaton,
  second: Automaton,
  budget: CompileBudget,
  maxStates: number,
): Automaton | undefined {
  const targets = second.states.map(targetsOf);
  const { pairs, stateOf } = statePairs(second.states.length, budget);
  const states: AutomatonState[] = [];
  for (const [one, other] of pairs) {
    if (pairs.length > maxStates) return undefined;
    const [{ accepts, edges }, match] = [first.states[one]!, second.states[other]!];
    const made = new Map<number, Edge>();
    const edgeOf = (target: number, next: number): Edge => edgeTo(made, stateOf(target, next));
    for (const { ascii, target } of edges) {
      for (const code of ascii) {
        const next = targets[other]!.get(code);
        if (next !== undefined) edgeOf(target, next).ascii.push(code);
      }
    }
    const [beyond, beyondMatch] = [beyondOf(edges), beyondOf(match.edges)];
    for (const char of new Set([...beyond.keys(), ...beyondMatch.keys()])) {
      const target = beyond.get(char) ?? beyond.get(OTHERS);
      const next = beyondMatch.get(char) ?? beyondMatch.get(OTHERS);
      if (target === undefined || next === undefined) continue;
      if (char === OTHERS) edgeOf(target, next).others = true;
      else edgeOf(target, next).beyond.push(char);
    }
    states.push({ accepts: accepts && match.accepts, edges: [...made.values()] });
  }
  return { states };
}

/** All characters other than ASCII that are not named. */
const OTHERS = "";

/** The target of each character other than ASCII. */
function beyondOf(edges: readonly Edge[]): Map<string, number> {
  return new Map(
    edges.flatMap(({ beyond, others, target }) =>
      [...beyond, ...(others ? [OTHERS] : [])].map((char) => [char, target] as const),
    ),
  );
}

/**
 * The automaton of the accepted texts in which `end` does not occur, with dead ends. After the ASCII characters that
 * `end` begins with, only characters that are named, or ASCII, follow.
 *
 * @throws {BudgetProblem}
 */
export function withoutText({ states }: Automaton, end: string, budget: CompileBudget): Automaton {
  const chars = [...end];
  const follow = nextMatches(chars);
  // A state, and how many characters of `end` were read last.
  const { pairs, stateOf } = statePairs(chars.length, budget);
  const made: AutomatonState[] = [];
  for (const [state, matched] of pairs) {
    const edges = new Map<number, Edge>();
    const edgeOf = (target: number, next: number): Edge => edgeTo(edges, stateOf(target, next));
    for (const { ascii, beyond, others, target } of states[state]!.edges) {
      budget.spend("automaton members", ascii.length + beyond.length);
      for (const code of ascii) {
        const next = follow(matched, String.fromCharCode(code));
        if (next < chars.length) edgeOf(target, next).ascii.push(code);
      }
      for (const char of beyond) {
        const next = follow(matched, char);
        if (next < chars.length) edgeOf(target, next).beyond.push(char);
      }
      if (others && chars[matched]! < "\x80") edgeOf(target, 0).others = true;
    }
    made.push({ accepts: states[state]!.accepts, edges: [...edges.values()] });
  }
  return { states: made };
}

/**
 * Removes the ways to states from which nothing is accepted, such as after an empty class: a grammar rule for one
 * would accept the empty text.
 *
 * @throws {AutomatonProblem} if nothing is accepted at all
 */
export function withoutDeadEnds({ states }: Automaton): Automaton {
  const sources = states.map((): number[] => []);
  for (const [at, { edges }] of states.entries()) {
    for (const edge of edges) if (!isEmpty(edge)) sources[edge.target]!.push(at);
  }
  const live = new Set(states.flatMap(({ accepts }, at) => (accepts ? [at] : [])));
  for (const at of live) for (const source of sources[at]!) live.add(source);
  if (!live.has(0)) throw new AutomatonProblem("nothing that can be generated matches the pattern.");
  for (const state of states) {
    state.edges = state.edges.filter((edge) => live.has(edge.target) && !isEmpty(edge));
  }
  return { states };
}

function isEmpty({ ascii, beyond, others, rule }: Edge): boolean {
  return rule === undefined && ascii.length === 0 && beyond.length === 0 && !others;
}

/** Numbers pairs of states as they are reached, from both starts; `pairs` grows while it is iterated. */
function statePairs(seconds: number, budget: CompileBudget) {
  const pairs: [first: number, second: number][] = [];
  const known = new Map<number, number>();
  const stateOf = (first: number, second: number): number => {
    const key = first * seconds + second;
    const at = known.get(key);
    if (at !== undefined) return at;
    budget.spend("automaton states");
    known.set(key, pairs.length);
    return pairs.push([first, second]) - 1;
  };
  stateOf(0, 0);
  return { pairs, stateOf };
}

/** How many characters at the end of a text are the beginning of `chars`, after one more (Knuth, Morris, Pratt). */
function nextMatches(chars: readonly string[]): (matched: number, char: string) => number {
  const shorter = [0];
  const follow = (matched: number, char: string): number => {
    let at = matched;
    while (at > 0 && chars[at] !== char) at = shorter[at - 1]!;
    return chars[at] === char ? at + 1 : 0;
  };
  for (let at = 1; at < chars.length; at++) shorter.push(follow(shorter[at - 1]!, chars[at]!));
  return follow;
}

/**
 * The automaton with the fewest states for the same texts: they differ by what they accept, then by the classes
 * that their characters lead to, until no class is split.
 *
 * @throws {BudgetProblem}
 */
export function minimized({ states }: Automaton, budget: CompileBudget): Automaton {
  const targets = states.map(targetsOf);
  const steps = targets.map((one) => [...one]);
  let classes = states.map(({ accepts }) => Number(accepts));
  let count = 0;
  for (;;) {
    budget.spend("automaton members", states.length);
    const known = new Map<string, number>();
    classes = steps.map((follow, at) => {
      let key = unitsOf(classes[at]!);
      for (const [code, target] of follow) key += String.fromCharCode(code) + unitsOf(classes[target]!);
      const found = known.get(key) ?? known.size;
      known.set(key, found);
      return found;
    });
    if (known.size === count) break;
    count = known.size;
  }
  const merged: AutomatonState[] = [];
  for (const [at, { accepts }] of states.entries()) {
    const edges = [...targets[at]!].map(([code, target]): [number, number] => [code, classes[target]!]);
    merged[classes[at]!] ??= { accepts, edges: edgesOf(edges) };
  }
  return { states: merged };
}

/** A number as two units of a text: shorter to compare than its digits. */
function unitsOf(number: number): string {
  return String.fromCharCode(number & 0xffff, number >>> 16);
}

/** The target of each character, in the order of the codes. */
function targetsOf({ edges }: AutomatonState): Map<number, number> {
  const targets = edges.flatMap(({ ascii, target }) => ascii.map((code) => [code, target] as const));
  return new Map(targets.sort(([one], [other]) => one - other));
}

function edgesOf(targets: readonly [code: number, target: number][]): Edge[] {
  const edges = new Map<number, Edge>();
  for (const [code, target] of targets) edgeTo(edges, target).ascii.push(code);
  return [...edges.values()];
}
