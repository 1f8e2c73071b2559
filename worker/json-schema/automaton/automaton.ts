import { CompileBudget } from "../budget.ts";
import { type PatternNode, stepsOf } from "../pattern/pattern-node.ts";
import { Nfa, type Step } from "./nfa.ts";

/**
 * A deterministic automaton of a pattern. Grammars are generated from it because xgrammar 0.1.27 merges states of
 * alternatives with common prefixes, and then accepts invalid text: `"xb" | "abb" | "abbb" | "abbbb"` accepts
 * `abbbbbbbb`. Alternatives with distinct first characters are not merged.
 */
export interface Automaton {
  /** The first state is the start state. */
  states: AutomatonState[];
  /** Those that edges name. @default none */
  rules?: ReadonlyMap<string, Automaton>;
}

export interface AutomatonState {
  accepts: boolean;
  edges: Edge[];
}

export interface Edge {
  /** ASCII codes. */
  ascii: number[];
  /** Non-ASCII characters. */
  beyond: string[];
  /** Whether all non-ASCII characters match. What follows one that another edge names includes what follows here. */
  others: boolean;
  /** In place of a character: all that the automaton with this name accepts. @default a character */
  rule?: string;
  target: number;
}

/** The edge to a target, which is added if there is none. */
export function edgeTo(edges: Map<number, Edge>, target: number): Edge {
  const edge = edges.get(target) ?? { ascii: [], beyond: [], others: false, target };
  edges.set(target, edge);
  return edge;
}

/** The edge of one ASCII character. */
export function edgeOf(char: string, target: number): Edge {
  return { ascii: [char.charCodeAt(0)], beyond: [], others: false, target };
}

/** The pattern has too many states, or nothing that can be generated matches it. */
export class AutomatonProblem extends Error {
  override name = "AutomatonProblem" as const;
}

/**
 * @param maxStates limit of the pattern, independent of the budget
 * @param mayBeEmpty names of the rules that may be left out
 * @throws {AutomatonProblem}
 * @throws {BudgetProblem}
 */
export function buildAutomaton(
  pattern: PatternNode,
  budget = new CompileBudget(),
  maxStates = Number.POSITIVE_INFINITY,
  mayBeEmpty?: ReadonlySet<string>,
): Automaton {
  requireShort(pattern, maxStates);
  const nfa = new Nfa(budget, mayBeEmpty);
  const start = nfa.add();
  const end = nfa.build(pattern, start);
  return new SubsetConstruction(nfa, end, maxStates, budget).run(start);
}

/** @throws {AutomatonProblem} for a pattern that is known to have too many states before any is built */
export function requireShort(pattern: PatternNode, maxStates: number): void {
  if (stepsOf(pattern) > maxStates * STEPS_PER_STATE) throw new AutomatonProblem("the pattern is too long.");
}

/** Upper bound of NFA steps per state in useful patterns. */
const STEPS_PER_STATE = 10;
/** Bounds the total size of states with many members. */
const MEMBERS_PER_STATE = 1000;

/** All non-ASCII characters. */
const OTHERS = "others";
const NO_CHARACTER = { ascii: [], beyond: [], others: false };

/** Converts an NFA to a deterministic automaton. */
class SubsetConstruction {
  readonly #nfa: Nfa;
  readonly #end: number;
  readonly #budget: CompileBudget;
  readonly #maxStates: number;
  readonly #known = new Map<string, number>();
  readonly #sets: number[][] = [];
  #members = 0;

  constructor(nfa: Nfa, end: number, maxStates: number, budget: CompileBudget) {
    this.#maxStates = maxStates;
    this.#nfa = nfa;
    this.#end = end;
    this.#budget = budget;
  }

  run(start: number): Automaton {
    const states: AutomatonState[] = [];
    this.#stateOf([start]);
    for (let at = 0; at < this.#sets.length; at++) states.push(this.#state(this.#sets[at]!));
    return { states };
  }

  #state(set: readonly number[]): AutomatonState {
    const accepts = set.includes(this.#end);
    const steps = set.flatMap((one) => this.#nfa.labelled[one]!);
    // Fast path for literals.
    if (steps.length === 1) return { accepts, edges: [this.#edge(steps[0]!)] };
    const { reached, rules } = this.#reached(steps);
    const edges = new Map<number, Edge>();
    // Most characters of a class lead to the same steps: look their state up once.
    const states = new Map<string, number>();
    for (const [symbol, targets] of reached) {
      const key = targets.join(",");
      const target = states.get(key) ?? this.#stateOf(targets);
      states.set(key, target);
      const edge = edgeTo(edges, target);
      if (typeof symbol === "number") edge.ascii.push(symbol);
      else if (symbol === OTHERS) edge.others = true;
      else edge.beyond.push(symbol);
    }
    const named = Array.from(
      rules,
      ([rule, targets]): Edge => ({ ...NO_CHARACTER, rule, target: this.#stateOf(targets) }),
    );
    return { accepts, edges: [...edges.values(), ...named] };
  }

  /** The steps that each symbol, and each rule, leads to. */
  #reached(steps: readonly Step[]) {
    const reached = new Map<number | string, number[]>();
    const all: number[] = [];
    const rules = new Map<string, number[]>();
    for (const { label, target } of steps) {
      const { ascii, beyond, rule } = label;
      this.#budget.spend(
        "automaton members",
        Math.max(1, ascii.size + (beyond === "all" ? 0 : beyond.length)),
      );
      if (rule !== undefined) addTo(rules, rule, target);
      for (const code of ascii) addTo(reached, code, target);
      if (beyond === "all") all.push(target);
      else for (const char of beyond) addTo(reached, char, target);
    }
    if (all.length > 0) {
      // A named one also takes the way of all, so its own state includes theirs.
      for (const [symbol, targets] of reached) {
        if (typeof symbol === "number") continue;
        this.#budget.spend("automaton members", all.length);
        targets.push(...all);
      }
      reached.set(OTHERS, all);
    }
    return { reached, rules };
  }

  #edge({ label: { ascii, beyond, rule }, target }: Step): Edge {
    if (rule !== undefined) return { ...NO_CHARACTER, rule, target: this.#stateOf([target]) };
    const isAll = beyond === "all";
    return {
      ascii: [...ascii],
      beyond: isAll ? [] : [...beyond],
      others: isAll,
      target: this.#stateOf([target]),
    };
  }

  /** The index of the state for the epsilon closure of a set of steps. */
  #stateOf(steps: readonly number[]): number {
    const closed = new Set(steps);
    for (const step of closed) for (const next of this.#nfa.empty[step]!) closed.add(next);
    this.#budget.spend("automaton members", closed.size);
    this.#members += closed.size;
    // Steps with only epsilon transitions do not distinguish states.
    const set = [...closed].filter((step) => step === this.#end || this.#nfa.labelled[step]!.length > 0);
    const key = set.sort((a, b) => a - b).join(",");
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#budget.spend("automaton states");
    if (this.#sets.length >= this.#maxStates || this.#members > this.#maxStates * MEMBERS_PER_STATE)
      throw new AutomatonProblem("the pattern is too complex.");
    this.#known.set(key, this.#sets.length);
    return this.#sets.push(set) - 1;
  }
}

function addTo<Key>(lists: Map<Key, number[]>, key: Key, value: number): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
