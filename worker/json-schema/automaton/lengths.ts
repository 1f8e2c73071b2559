/** Patterns with `minLength` and `maxLength`. */

import type { CompileBudget } from "../budget.ts";
import { type Automaton, AutomatonProblem, type AutomatonState, type Edge, edgeOf } from "./automaton.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Where in a JSON string a state is. */
type Place = "before" | "inside" | "escape" | "after";

export interface Lengths {
  min: number;
  max: number | undefined;
}

/**
 * The automaton of those JSON strings of `automaton` whose value has so many characters, with dead ends.
 *
 * @throws {AutomatonProblem} if it has too many states
 * @throws {BudgetProblem}
 */
export function withLengths({ states }: Automaton, { min, max }: Lengths, budget: CompileBudget): Automaton {
  const maxStates = budget.left("states of lengths");
  const made: AutomatonState[] = [];
  const pending: { at: number; count: number; place: Place }[] = [];
  const known = new Map<string, number>();
  const stateOf = (at: number, count: number, place: Place): number => {
    const key = `${at} ${count} ${place}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    budget.spend("automaton states");
    if (pending.length >= maxStates) {
      // Half of what is left, so that many failures cost no more than two.
      budget.spend("states of lengths", Math.ceil(maxStates / 2));
      throw new AutomatonProblem("the lengths need too many states.");
    }
    known.set(key, pending.length);
    return pending.push({ at, count, place }) - 1;
  };
  stateOf(0, 0, "before");
  for (const { at, count, place } of pending) {
    const { accepts, edges } = states[at]!;
    const isFull = count === max;
    // Without a maximum, all counts from the minimum on are one.
    const next = max === undefined ? Math.min(count + 1, min) : count + 1;
    made.push({ accepts, edges: edges.flatMap(follow) });

    function follow({ target, ...chars }: Edge): Edge[] {
      budget.spend("automaton members", chars.ascii.length);
      if (place === "before") return [{ ...chars, target: stateOf(target, 0, "inside") }];
      if (place === "escape") return [{ ...chars, target: stateOf(target, next, "inside") }];
      const ends = chars.ascii.includes(QUOTE) && count >= min;
      const escapes = chars.ascii.includes(BACKSLASH) && !isFull;
      const plain = { ...chars, ascii: chars.ascii.filter((code) => code !== QUOTE && code !== BACKSLASH) };
      const isEmpty = plain.ascii.length === 0 && plain.beyond.length === 0 && !plain.others;
      return [
        ...(ends ? [edgeOf('"', stateOf(target, 0, "after"))] : []),
        ...(escapes ? [edgeOf("\\", stateOf(target, count, "escape"))] : []),
        ...(isFull || isEmpty ? [] : [{ ...plain, target: stateOf(target, next, "inside") }]),
      ];
    }
  }
  budget.spend("states of lengths", made.length);
  return { states: made };
}
