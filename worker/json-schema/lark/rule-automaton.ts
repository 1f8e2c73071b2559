/** Automata of rules that lead to themselves: their edges name each other. */

import { type Automaton, buildAutomaton, type Edge } from "../automaton/automaton.ts";
import { withoutDeadEnds } from "../automaton/automaton-operations.ts";
import type { CompileBudget } from "../budget.ts";
import { PatternProblem } from "../pattern/pattern-characters.ts";
import type { PatternNode } from "../pattern/pattern-node.ts";
import type { LarkPatterns } from "./lark-patterns.ts";

type Rules = ReadonlyMap<string, Automaton>;

/**
 * The automaton of a grammar's start. None of those that it names accepts the empty text: engines cannot follow what
 * repeats a rule that may be empty, so it is left out instead.
 *
 * @param maxStates of the start, and of each rule
 * @throws {PatternProblem} for rules that begin with each other, which engines cannot follow
 * @throws {AutomatonProblem}
 * @throws {BudgetProblem}
 */
export function ruleAutomaton(
  { start, rules: patterns }: LarkPatterns,
  budget: CompileBudget,
  maxStates: number,
): Automaton {
  const build = (pattern: PatternNode, mayBeEmpty?: ReadonlySet<string>): Automaton =>
    buildAutomaton(pattern, budget, maxStates, mayBeEmpty);
  const built = new Map(Array.from(patterns, ([name, pattern]) => [name, build(pattern)]));
  const empty = growing(built, (automaton, known) =>
    reaches(automaton, ({ rule }) => rule !== undefined && known.has(rule)),
  );
  for (const [name, automaton] of built) {
    const edges = automaton.states.flatMap((state) => state.edges);
    const isSame = edges.every(({ rule }) => rule === undefined || !empty.has(rule));
    built.set(name, withoutEmptyText(isSame ? automaton : build(patterns.get(name)!, empty)));
  }
  const ending = growing(built, (automaton, known) =>
    reaches(automaton, ({ rule }) => rule === undefined || known.has(rule)),
  );
  const rules = new Map<string, Automaton>();
  const finished = (automaton: Automaton): Automaton => {
    for (const state of automaton.states)
      state.edges = state.edges.filter(({ rule }) => rule === undefined || ending.has(rule));
    return { ...withoutDeadEnds(automaton), rules };
  };
  for (const name of ending) rules.set(name, finished(built.get(name)!));
  refuseLeftRecursion(rules, budget);
  return finished(build(start, empty));
}

/** The names of the automata that `has` finds something in, which may depend on those found before. */
function growing(
  automata: Rules,
  has: (automaton: Automaton, known: ReadonlySet<string>) => boolean,
): Set<string> {
  const known = new Set<string>();
  for (let before = -1; before < known.size; ) {
    before = known.size;
    for (const [name, automaton] of automata) if (!known.has(name) && has(automaton, known)) known.add(name);
  }
  return known;
}

/** Whether a state that accepts is reached along edges that `passes`. */
function reaches({ states }: Automaton, passes: (edge: Edge) => boolean): boolean {
  const reached = new Set([0]);
  for (const at of reached) {
    if (states[at]!.accepts) return true;
    for (const edge of states[at]!.edges) if (passes(edge)) reached.add(edge.target);
  }
  return false;
}

function withoutEmptyText({ states }: Automaton): Automaton {
  const [{ accepts, edges } = { accepts: false, edges: [] }, ...others] = states;
  if (!accepts) return { states };
  // The start may be reached again: then it accepts as before.
  const again = states.length;
  const moved = (all: readonly Edge[]): Edge[] =>
    all.map((edge) => (edge.target === 0 ? { ...edge, target: again } : edge));
  return {
    states: [
      { accepts: false, edges: moved(edges) },
      ...others.map((state) => ({ ...state, edges: moved(state.edges) })),
      { accepts, edges: moved(edges) },
    ],
  };
}

/** @throws {PatternProblem} if a rule may begin with itself, through other rules or after what may be empty */
function refuseLeftRecursion(rules: Rules, budget: CompileBudget): void {
  const firsts = new Map(
    Array.from(rules, ([name, { states }]) => {
      const names = states[0]!.edges.flatMap(({ rule }) => (rule === undefined ? [] : [rule]));
      return [name, new Set(names)];
    }),
  );
  for (const [name, direct] of firsts) {
    const reached = new Set(direct);
    for (const one of reached) for (const next of firsts.get(one)!) reached.add(next);
    budget.spend("automaton members", reached.size);
    if (!reached.has(name)) continue;
    throw new PatternProblem(
      `the rule '${name}' may begin with itself, through other rules or after what may be empty: write it as a repetition.`,
    );
  }
}
