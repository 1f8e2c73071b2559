/** Compilation state shared by all schemas and tools of a request: budget and automata. */

import { type Automaton, buildAutomaton } from "./automaton/automaton.ts";
import { withoutDeadEnds } from "./automaton/automaton-operations.ts";
import { CompileBudget, type Resource } from "./budget.ts";
import type { PatternNode } from "./pattern/pattern-node.ts";

const PAID: readonly Resource[] = ["automaton steps", "automaton states", "automaton members"];

export class Compilation {
  readonly budget = new CompileBudget();
  readonly #automata = new Map<string, { automaton: Automaton; costs: number[] }>();

  /**
   * The automaton of a pattern, built once but counted on each use, so that limits do not depend on repetition.
   *
   * @param key equal for equal patterns
   * @throws {AutomatonProblem}
   * @throws {BudgetProblem}
   */
  automaton(key: string, pattern: () => PatternNode, maxStates?: number): Automaton {
    return this.cached(key, () => withoutDeadEnds(buildAutomaton(pattern(), this.budget, maxStates)));
  }

  /** Like {@link automaton}, of what `build` makes. */
  cached(key: string, build: () => Automaton): Automaton {
    const known = this.#automata.get(key);
    if (known) {
      for (const [at, resource] of PAID.entries()) this.budget.spend(resource, known.costs[at]);
      return known.automaton;
    }
    const before = PAID.map((resource) => this.budget.left(resource));
    const automaton = build();
    const costs = PAID.map((resource, at) => before[at]! - this.budget.left(resource));
    this.#automata.set(key, { automaton, costs });
    return automaton;
  }
}
