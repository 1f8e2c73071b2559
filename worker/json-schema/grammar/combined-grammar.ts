import { commonPrefix } from "../../../src/shared/common-prefix.ts";
import { groupBy } from "../../../src/shared/group-by.ts";
import { type Expression, literal, sequence } from "./grammar-text.ts";

/** Literals, classes and names of rules. */
const PIECES = /"(?:\\.|[^"\\])*"|\[(?:\\.|[^\]\\])*\]|[A-Za-z][A-Za-z0-9_-]*/g;

/** A text and what follows it. */
interface TextNext {
  text: string;
  next: Expression;
}

/** Several grammars in one that has each rule once: engines compile every state of a grammar, with the whole vocabulary. */
export class CombinedGrammar {
  /** Names of rules by their expressions. */
  readonly #names = new Map<Expression, string>();
  readonly #rules: string[] = [];

  /** Adds the rules of a grammar. @returns the name of its root */
  add(grammar: string): string {
    const bodies = new Map(grammar.split("\n").map((line) => line.split(/ ::= (.*)/s) as [string, string]));
    const names = new Map<string, string>();
    for (const group of cycles(bodies)) this.#addGroup(group, bodies, names);
    return names.get("root")!;
  }

  /** The name of an expression. */
  rule(expression: Expression): Expression {
    const known = this.#names.get(expression);
    if (known !== undefined) return known;
    const name = `s${this.#names.size}`;
    this.#names.set(expression, name);
    this.#rules.push(`${name} ::= ${expression}`);
    return name;
  }

  /** Alternatives after their texts. Common beginnings are shared (see automaton.ts). */
  choice(options: readonly TextNext[]): Expression {
    const start = commonPrefix(options.map(({ text }) => text));
    const rests = options.map(({ text, next }) => ({ text: text.slice(start.length), next }));
    const groups = groupBy(rests, ({ text }) => text.slice(0, 1));
    const alternatives = Array.from(groups, ([first, group]) =>
      first === "" ? group.map(({ next }) => next) : [this.choice(group)],
    ).flat();
    const rest = alternatives.length === 1 ? alternatives[0]! : this.rule(alternatives.join(" | "));
    return start === "" ? rest : this.rule(sequence(literal(start), rest));
  }

  /** All rules. */
  get text(): string {
    return this.#rules.join("\n");
  }

  /** Rules that name each other are known by all their expressions. */
  #addGroup(group: readonly string[], bodies: ReadonlyMap<string, string>, names: Map<string, string>): void {
    const isAlone = group.length === 1 && !referencesOf(bodies.get(group[0]!)!).includes(group[0]!);
    if (isAlone) {
      names.set(group[0]!, this.rule(rename(bodies.get(group[0]!)!, names)));
      return;
    }
    for (const [at, name] of group.entries()) names.set(name, `${at}`);
    const key = group.map((name) => rename(bodies.get(name)!, names)).join("\n");
    const known = this.#names.get(key);
    const prefix = known ?? `s${this.#names.size}`;
    for (const [at, name] of group.entries()) names.set(name, `${prefix}x${at}`);
    if (known !== undefined) return;
    this.#names.set(key, prefix);
    for (const name of group) this.#rules.push(`${names.get(name)} ::= ${rename(bodies.get(name)!, names)}`);
  }
}

function rename(body: string, names: ReadonlyMap<string, string>): string {
  return body.replace(PIECES, (piece) => (/^["[]/.test(piece) ? piece : names.get(piece)!));
}

function referencesOf(body: string): string[] {
  return [...(body.match(PIECES) ?? [])].filter((piece) => !/^["[]/.test(piece));
}

/**
 * The rules in groups of those that name each other (Tarjan's algorithm), each after the groups that it names. Without
 * recursion: the states of a long pattern are a chain of thousands of rules.
 */
function cycles(bodies: ReadonlyMap<string, string>): string[][] {
  const groups: string[][] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const enter = (name: string) => {
    lowest.set(name, order.size);
    order.set(name, order.size);
    open.push(name);
    isOpen.add(name);
    return { name, references: referencesOf(bodies.get(name)!).values() };
  };
  const lower = (name: string, by: number): void => {
    lowest.set(name, Math.min(lowest.get(name)!, by));
  };
  for (const first of bodies.keys()) {
    const path = order.has(first) ? [] : [enter(first)];
    for (let at = path.at(-1); at; at = path.at(-1)) {
      const { value: next, done } = at.references.next();
      if (!done) {
        if (!order.has(next)) path.push(enter(next));
        else if (isOpen.has(next)) lower(at.name, order.get(next)!);
        continue;
      }
      path.pop();
      const reached = lowest.get(at.name)!;
      const above = path.at(-1);
      if (above) lower(above.name, reached);
      if (reached !== order.get(at.name)) continue;
      const group = open.splice(open.lastIndexOf(at.name));
      for (const name of group) isOpen.delete(name);
      groups.push(group);
    }
  }
  return groups;
}
