import type { Automaton } from "../automaton/automaton.ts";
import type { CompileBudget } from "../budget.ts";
import { addAutomatonRules, firstRule } from "./automaton-rules.ts";
import type { Expression } from "./grammar-text.ts";

/** The rules of a grammar. Equal expressions and automata share them, so that the engine compiles them once. */
export class GrammarRules {
  readonly #budget: CompileBudget;
  readonly #rules: string[] = [];
  readonly #expressions = new Map<Expression, string>();
  readonly #automata = new Map<Automaton, Expression>();
  readonly #defined = new Set<string>();

  constructor(budget: CompileBudget) {
    this.#budget = budget;
  }

  get all(): readonly string[] {
    return this.#rules;
  }

  /** @throws {BudgetProblem} */
  add(rule: string): void {
    this.#budget.spend("characters of grammar", rule.length);
    this.#rules.push(rule);
  }

  /** The rule of an expression. */
  of(expression: Expression): Expression {
    return this.once(this.#expressions, "r", expression, () => expression);
  }

  /** The rule of a key. It is named before it is written, as its text may refer to it. */
  once<Key>(names: Map<Key, string>, prefix: string, key: Key, write: () => Expression): Expression {
    const known = names.get(key);
    if (known !== undefined) return known;
    const name = `${prefix}${names.size}`;
    names.set(key, name);
    this.add(`${name} ::= ${write()}`);
    return name;
  }

  /** A rule that is used by name. */
  define(name: string, expression: Expression): Expression {
    if (!this.#defined.has(name)) this.add(`${name} ::= ${expression}`);
    this.#defined.add(name);
    return name;
  }

  automaton(automaton: Automaton): Expression {
    const known = this.#automata.get(automaton);
    if (known !== undefined) return known;
    const prefix = `p${this.#automata.size}`;
    const first = firstRule(prefix);
    this.#automata.set(automaton, first);
    addAutomatonRules(automaton, prefix, this);
    return first;
  }
}
