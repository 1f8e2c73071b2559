import { type Automaton, AutomatonProblem, type Edge } from "./automaton.ts";

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
