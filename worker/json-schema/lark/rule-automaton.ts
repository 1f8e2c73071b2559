/** Automata of rules that lead to themselves: their edges name each other. */

import { type Automaton, buildAutomaton } from "../automaton.ts";
import type { CompileBudget } from "../budget.ts";
import { withoutDeadEnds } from "../live-states.ts";
import { PatternProblem } from "../pattern-characters.ts";
import type { LarkPatterns } from "./lark-patterns.ts";

type Rules = ReadonlyMap<string, Automaton>;

/**
 * The automaton of a grammar's start.
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
  const built = new Map(
    Array.from(patterns, ([name, pattern]) => [name, buildAutomaton(pattern, budget, maxStates)]),
  );
  const ending = growing(built, (automaton, known) =>
    reaches(automaton, ({ rule }) => rule === undefined || known.has(rule)),
  );
  refuseLeftRecursion(built, budget);
  const rules = new Map<string, Automaton>();
  const finished = (automaton: Automaton): Automaton => {
    for (const state of automaton.states)
      state.edges = state.edges.filter(({ rule }) => rule === undefined || ending.has(rule));
    return { ...withoutDeadEnds(automaton), rules };
  };
  for (const name of ending) rules.set(name, finished(built.get(name)!));
  return finished(buildAutomaton(start, budget, maxStates));
}

type Edges = Automaton["states"][number]["edges"][number];

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
function reaches(automaton: Automaton, passes: (edge: Edges) => boolean): boolean {
  const { states } = automaton;
  for (const at of reachedFrom(automaton, passes)) if (states[at]!.accepts) return true;
  return false;
}

function reachedFrom({ states }: Automaton, passes: (edge: Edges) => boolean): Set<number> {
  const reached = new Set([0]);
  for (const at of reached) for (const edge of states[at]!.edges) if (passes(edge)) reached.add(edge.target);
  return reached;
}

/** @throws {PatternProblem} if a rule may begin with itself, through other rules or after what may be empty */
function refuseLeftRecursion(rules: Rules, budget: CompileBudget): void {
  const empty = growing(rules, (automaton, known) =>
    reaches(automaton, ({ rule }) => rule !== undefined && known.has(rule)),
  );
  const firsts = new Map(
    Array.from(rules, ([name, automaton]) => {
      const reached = reachedFrom(automaton, ({ rule }) => rule !== undefined && empty.has(rule));
      const edges = [...reached].flatMap((at) => automaton.states[at]!.edges);
      return [name, new Set(edges.flatMap(({ rule }) => (rule === undefined ? [] : [rule])))];
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
