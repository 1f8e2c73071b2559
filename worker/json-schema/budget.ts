/** Compilation budget, shared by all schemas and tools of a request. */

import { SchemaProblem } from "./schema-problem.ts";

/** Counted, not timed, so that a schema compiles on all devices or on none. */
const LIMITS = {
  /** Schemas and subschemas read; a reference is read once. */
  subschemas: 40_000,
  /** Comparisons of `oneOf` options and of values. */
  comparisons: 4_000_000,
  /** Steps of the NFAs. */
  "automaton steps": 400_000,
  /** Enough for the longest enum that passes the limits. */
  "automaton states": 150_000,
  /** States that count the characters of patterns; beyond them, lengths are a keyword that cannot be enforced. */
  "states of lengths": 1_000,
  /** States of several patterns for one string; beyond them, a further pattern cannot be enforced. */
  "states of joined patterns": 2_000,
  /** NFA steps in all states; nested counts have few steps, but states that contain nearly all of them. */
  "automaton members": 6_000_000,
  /** The engine compiles the grammar again, which is slower than generating it. */
  "characters of grammar": 2_000_000,
};

/** Recursion depth, far below the stack size of all browsers. */
const MAX_DEPTH = 256;

export type Resource = keyof typeof LIMITS;

/** The request exceeds its budget: an error even if unsupported keywords are ignored. */
class BudgetProblem extends SchemaProblem {
  constructor(limit: number, of: string) {
    super([], `schema is too complex: it exceeds the limit of ${limit} ${of} for one request.`);
  }
}

/** One instance per request. */
export class CompileBudget {
  readonly #left: Record<Resource, number> = { ...LIMITS };
  #depth = 0;

  /** @throws {BudgetProblem} */
  spend(resource: Resource, amount = 1): void {
    this.#left[resource] -= amount;
    if (this.#left[resource] < 0) throw new BudgetProblem(LIMITS[resource], resource);
  }

  left(resource: Resource): number {
    return this.#left[resource];
  }

  /** @throws {BudgetProblem} for what is nested too deep to be walked by recursion */
  requireDepth(depth: number): void {
    if (depth > MAX_DEPTH) throw new BudgetProblem(MAX_DEPTH, "levels of nesting");
  }

  /** Runs a recursive function, and counts its depth. @throws {BudgetProblem} */
  nested<T>(work: () => T): T {
    this.requireDepth(++this.#depth);
    try {
      return work();
    } finally {
      this.#depth--;
    }
  }
}
