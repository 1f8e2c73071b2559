import type { PatternNode } from "./pattern.ts";

/**
 * A deterministic automaton of a pattern. Grammars are written from it because xgrammar 0.1.27 merges states of
 * alternatives with common beginnings, and then accepts what none of them does:
 * `"xb" | "abb" | "abbb" | "abbbb"` takes `abbbbbbbb`. Where no two alternatives begin alike, nothing is merged.
 */
export interface Automaton {
  /** The first one is where it starts. */
  states: AutomatonState[];
}

export interface AutomatonState {
  accepts: boolean;
  edges: Edge[];
}

export interface Edge {
  /** ASCII codes. */
  ascii: number[];
  /** Single characters beyond ASCII. */
  beyond: string[];
  /** All characters beyond ASCII. */
  others: boolean;
  target: number;
}

/** What a pattern may cost; thrown where it would be more, or cannot be told apart. */
export class AutomatonProblem extends Error {
  override name = "AutomatonProblem" as const;
}

/** Enough for the longest enum that passes the limits. */
const MOST_STATES = 150_000;
const MOST_STEPS = 400_000;
/** Steps of all states together: counts of counts make few steps, and states of nearly all of them. */
const MOST_MEMBERS = 4_000_000;

/**
 * @param mostStates beyond which the pattern is too complex
 * @throws {AutomatonProblem}
 */
export function buildAutomaton(pattern: PatternNode, mostStates = MOST_STATES): Automaton {
  const machine = new Machine();
  const start = machine.add();
  const end = machine.build(pattern, start);
  return new Determiner(machine, end, mostStates).run(start);
}

/** All characters beyond ASCII that no pattern names. */
const OTHERS = "others";
type Label = { ascii: ReadonlySet<number>; beyond: "all" | readonly string[] };

/** A non-deterministic automaton under construction. */
class Machine {
  readonly empty: number[][] = [];
  readonly labelled: { label: Label; target: number }[][] = [];

  add(): number {
    if (this.empty.length > MOST_STEPS) throw new AutomatonProblem("the pattern is too long.");
    this.labelled.push([]);
    return this.empty.push([]) - 1;
  }

  /** Adds the pattern behind `from` and returns where it ends. */
  build(node: PatternNode, from: number): number {
    switch (node.kind) {
      case "literal":
        return [...node.text].reduce((at, char) => this.#step(at, labelOf(char)), from);
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
}

function labelOf(char: string): Label {
  const code = char.codePointAt(0)!;
  return code < 0x80 ? { ascii: new Set([code]), beyond: [] } : { ascii: new Set(), beyond: [char] };
}

/** The construction of subsets. */
class Determiner {
  readonly #machine: Machine;
  readonly #end: number;
  readonly #known = new Map<string, number>();
  readonly #sets: number[][] = [];
  #members = 0;

  readonly #mostStates: number;

  constructor(machine: Machine, end: number, mostStates: number) {
    this.#mostStates = mostStates;
    this.#machine = machine;
    this.#end = end;
  }

  run(start: number): Automaton {
    const states: AutomatonState[] = [];
    this.#stateOf([start]);
    for (let at = 0; at < this.#sets.length; at++) states.push(this.#state(this.#sets[at]!));
    return { states };
  }

  #state(set: readonly number[]): AutomatonState {
    const reached = new Map<number | string, number[]>();
    const all: number[] = [];
    const reach = (symbol: number | string, target: number): void => {
      const targets = reached.get(symbol);
      if (targets) targets.push(target);
      else reached.set(symbol, [target]);
    };
    for (const { label, target } of set.flatMap((one) => this.#machine.labelled[one]!)) {
      for (const code of label.ascii) reach(code, target);
      if (label.beyond === "all") all.push(target);
      else for (const char of label.beyond) reach(char, target);
    }
    const hasNamed = [...reached.keys()].some((symbol) => typeof symbol === "string");
    if (hasNamed && all.length > 0)
      throw new AutomatonProblem("characters beyond ASCII cannot be told apart.");
    if (all.length > 0) reached.set(OTHERS, all);
    const edges = new Map<number, Edge>();
    for (const [symbol, targets] of reached) {
      const target = this.#stateOf(targets);
      const edge = edges.get(target) ?? { ascii: [], beyond: [], others: false, target };
      edges.set(target, edge);
      if (typeof symbol === "number") edge.ascii.push(symbol);
      else if (symbol === OTHERS) edge.others = true;
      else edge.beyond.push(symbol);
    }
    return { accepts: set.includes(this.#end), edges: [...edges.values()] };
  }

  /** The number of the state for a set of steps and all that is reached from them without a character. */
  #stateOf(steps: readonly number[]): number {
    const closed = new Set(steps);
    for (const step of closed) for (const next of this.#machine.empty[step]!) closed.add(next);
    const set = [...closed].sort((a, b) => a - b);
    const key = set.join(",");
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#members += set.length;
    if (this.#sets.length >= this.#mostStates || this.#members > MOST_MEMBERS)
      throw new AutomatonProblem("the pattern is too complex.");
    this.#known.set(key, this.#sets.length);
    return this.#sets.push(set) - 1;
  }
}
