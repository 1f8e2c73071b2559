import type { CompileBudget } from "../budget.ts";
import { setOf } from "../pattern/pattern-characters.ts";
import { type PatternNode, stepsOf } from "../pattern/pattern-node.ts";

type Label = { ascii: ReadonlySet<number>; beyond: "all" | readonly string[]; rule?: string };
export type Step = { label: Label; target: number };

/** A non-deterministic automaton, built by Thompson's construction. */
export class Nfa {
  readonly empty: number[][] = [];
  readonly labelled: Step[][] = [];
  readonly #budget: CompileBudget;
  readonly #mayBeEmpty: ReadonlySet<string>;
  readonly #labels = new Map<string, Label>();

  /** @param mayBeEmpty names of the rules that may be left out */
  constructor(budget: CompileBudget, mayBeEmpty: ReadonlySet<string> = new Set()) {
    this.#budget = budget;
    this.#mayBeEmpty = mayBeEmpty;
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
      case "rule": {
        const end = this.#step(from, { ascii: new Set(), beyond: [], rule: node.name });
        if (this.#mayBeEmpty.has(node.name)) this.empty[from]!.push(end);
        return end;
      }
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
    const label = this.#labels.get(char) ?? setOf(char);
    this.#labels.set(char, label);
    return label;
  }
}
