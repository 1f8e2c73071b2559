import { CompileBudget } from "./budget.ts";
import type { PatternNode } from "./pattern.ts";
import { stepsOf } from "./regular.ts";

/**
 * A deterministic automaton of a pattern. Grammars are generated from it because xgrammar 0.1.27 merges states of
 * alternatives with common prefixes, and then accepts invalid text: `"xb" | "abb" | "abbb" | "abbbb"` accepts
 * `abbbbbbbb`. Alternatives with distinct first characters are not merged.
 */
export interface Automaton {
  /** The first state is the start state. */
  states: AutomatonState[];
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
  target: number;
}

/** The pattern has too many states, or nothing that can be generated matches it. */
export class AutomatonProblem extends Error {
  override name = "AutomatonProblem" as const;
}

/**
 * @param maxStates limit of the pattern, independent of the budget
 * @throws {AutomatonProblem}
 * @throws {BudgetProblem}
 */
export function buildAutomaton(
  pattern: PatternNode,
  budget = new CompileBudget(),
  maxStates = Number.POSITIVE_INFINITY,
): Automaton {
  if (stepsOf(pattern) > maxStates * STEPS_PER_STATE) throw new AutomatonProblem("the pattern is too long.");
  const machine = new Machine(budget);
  const start = machine.add();
  const end = machine.build(pattern, start);
  return new Determiner(machine, end, maxStates, budget).run(start);
}

/** Upper bound of NFA steps per state in useful patterns. */
const STEPS_PER_STATE = 10;
/** Bounds the total size of states with many members. */
const MEMBERS_PER_STATE = 1000;

/** All non-ASCII characters. */
const OTHERS = "others";
type Label = { ascii: ReadonlySet<number>; beyond: "all" | readonly string[] };
type Step = { label: Label; target: number };

/** Builds a non-deterministic automaton (NFA). */
class Machine {
  readonly empty: number[][] = [];
  readonly labelled: Step[][] = [];
  readonly #budget: CompileBudget;
  readonly #labels = new Map<string, Label>();

  constructor(budget: CompileBudget) {
    this.#budget = budget;
  }

  add(): number {
    this.#budget.spend("automaton steps");
    this.labelled.push([]);
    return this.empty.push([]) - 1;
  }

  /** Appends the pattern at `from` and returns its end, which is `from` if it only matches "". */
  build(node: PatternNode, from: number): number {
    return this.#budget.nested(() => this.#build(node, from));
  }

  #build(node: PatternNode, from: number): number {
    switch (node.kind) {
      case "literal": {
        let at = from;
        for (const char of node.text) at = this.#step(at, this.#labelOf(char));
        return at;
      }
      case "set":
        return this.#step(from, node.set);
      case "sequence":
        return node.parts.reduce((at, part) => this.build(part, at), from);
      case "choice": {
        const end = this.add();
        for (const part of node.parts) {
          const begin = this.add();
          this.empty[from]!.push(begin);
          this.empty[this.build(part, begin)]!.push(end);
        }
        return end;
      }
      case "repeat":
        return this.#repeat(node, from);
    }
  }

  #repeat({ part, min, max }: Extract<PatternNode, { kind: "repeat" }>, from: number): number {
    // Repeating "" only matches "".
    if (max === 0 || stepsOf(part) === 0) return from;
    let at = from;
    for (let count = 0; count < min; count++) at = this.build(part, at);
    const end = this.add();
    this.empty[at]!.push(end);
    if (max === undefined) {
      const begin = this.add();
      this.empty[at]!.push(begin);
      const again = this.build(part, begin);
      this.empty[again]!.push(begin, end);
      return end;
    }
    for (let count = min; count < max; count++) {
      const begin = this.add();
      this.empty[at]!.push(begin);
      at = this.build(part, begin);
      this.empty[at]!.push(end);
    }
    return end;
  }

  #step(from: number, label: Label): number {
    const target = this.add();
    this.labelled[from]!.push({ label, target });
    return target;
  }

  #labelOf(char: string): Label {
    let label = this.#labels.get(char);
    if (!label) {
      const code = char.codePointAt(0)!;
      label =
        code < 0x80 ? { ascii: new Set([code]), beyond: [] } : { ascii: new Set<number>(), beyond: [char] };
      this.#labels.set(char, label);
    }
    return label;
  }
}

/** Subset construction: converts an NFA to a deterministic automaton. */
class Determiner {
  readonly #machine: Machine;
  readonly #end: number;
  readonly #budget: CompileBudget;
  readonly #maxStates: number;
  readonly #known = new Map<string, number>();
  readonly #sets: number[][] = [];
  #members = 0;

  constructor(machine: Machine, end: number, maxStates: number, budget: CompileBudget) {
    this.#maxStates = maxStates;
    this.#machine = machine;
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
    const steps = set.flatMap((one) => this.#machine.labelled[one]!);
    // Fast path for literals.
    if (steps.length === 1) return { accepts, edges: [this.#edge(steps[0]!)] };
    const reached = new Map<number | string, number[]>();
    const all: number[] = [];
    const reach = (symbol: number | string, target: number): void => {
      const targets = reached.get(symbol);
      if (targets) targets.push(target);
      else reached.set(symbol, [target]);
    };
    for (const { label, target } of steps) {
      this.#budget.spend("automaton members", label.ascii.size);
      for (const code of label.ascii) reach(code, target);
      if (label.beyond === "all") all.push(target);
      else for (const char of label.beyond) reach(char, target);
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
    const edges = new Map<number, Edge>();
    // Most characters of a class lead to the same steps: look their state up once.
    const states = new Map<string, number>();
    for (const [symbol, targets] of reached) {
      const key = targets.join(",");
      const target = states.get(key) ?? this.#stateOf(targets);
      states.set(key, target);
      const edge = edges.get(target) ?? { ascii: [], beyond: [], others: false, target };
      edges.set(target, edge);
      if (typeof symbol === "number") edge.ascii.push(symbol);
      else if (symbol === OTHERS) edge.others = true;
      else edge.beyond.push(symbol);
    }
    return { accepts, edges: [...edges.values()] };
  }

  #edge({ label: { ascii, beyond }, target }: Step): Edge {
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
    for (const step of closed) for (const next of this.#machine.empty[step]!) closed.add(next);
    this.#budget.spend("automaton members", closed.size);
    this.#members += closed.size;
    // Steps with only epsilon transitions do not distinguish states.
    const set = [...closed].filter((step) => step === this.#end || this.#machine.labelled[step]!.length > 0);
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
