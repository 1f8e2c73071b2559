/**
 * Converts a Lark grammar to patterns. Rules that do not lead to themselves become part of what uses them, so that most
 * grammars are one pattern; the others are patterns of their own, which name each other.
 */

import type { CompileBudget } from "../budget.ts";
import { PatternProblem } from "../pattern/pattern-characters.ts";
import {
  caselessText,
  EMPTY,
  either,
  inOrder,
  type PatternNode,
  repeated,
  text,
} from "../pattern/pattern-node.ts";
import { rustPattern } from "../pattern/rust-pattern.ts";
import { isTerminal, type LarkGrammar, type LarkNode, parseLark } from "./lark-parser.ts";

export interface LarkPatterns {
  start: PatternNode;
  /** The rules that lead to themselves. */
  rules: ReadonlyMap<string, PatternNode>;
}

/** Of each pattern that rules become, and of all. */
const MAX_SIZE = 100_000;
const MAX_TOTAL = 400_000;

/** @throws {PatternProblem} for what is no Lark, or not supported; {BudgetProblem} */
export function larkPatterns(source: string, budget: CompileBudget): LarkPatterns {
  return new Converter(parseLark(source, budget), budget).convert();
}

/** What is used often is converted once: patterns may be much larger, and deeper, than the grammar. */
interface Sized {
  node: PatternNode;
  size: number;
  /** Levels of nodes. */
  depth: number;
}

class Converter {
  readonly #grammar: LarkGrammar;
  readonly #budget: CompileBudget;
  readonly #recursive: ReadonlySet<string>;
  readonly #known = new Map<string, Sized>();
  /** Definitions that are being converted. */
  readonly #open = new Set<string>();
  readonly #rules = new Map<string, PatternNode>();
  #total = 0;
  #gap: Sized = { node: EMPTY, size: 0, depth: 1 };

  constructor(grammar: LarkGrammar, budget: CompileBudget) {
    this.#grammar = grammar;
    this.#budget = budget;
    this.#recursive = recursiveRules(grammar.definitions);
  }

  convert(): LarkPatterns {
    const { definitions, ignored } = this.#grammar;
    if (!definitions.has("start")) throw new PatternProblem("there is no rule 'start'.");
    if (ignored.length > 0) {
      const all = this.#convert({ kind: "choice", parts: ignored }, true);
      this.#gap = { node: repeated(all.node, 0, undefined), size: all.size + 1, depth: all.depth + 1 };
    }
    const start = this.#named("start", 1);
    for (const name of this.#recursive) this.#rules.set(name, this.#rule(name));
    return { start: inOrder(this.#gap.node, start.node), rules: this.#rules };
  }

  /** @param inTerminal whether nothing may stand between the parts */
  #convert(node: LarkNode, inTerminal: boolean): Sized {
    const sized = this.#budget.nested(() => this.#made(node, inTerminal));
    if (sized.size > MAX_SIZE) throw new PatternProblem("the grammar is too complex.");
    this.#budget.requireDepth(sized.depth);
    return sized;
  }

  #made(node: LarkNode, inTerminal: boolean): Sized {
    switch (node.kind) {
      case "name":
        if (isTerminal(node.name)) return this.#spaced(this.#named(node.name, node.line), inTerminal);
        if (inTerminal) throw new PatternProblem(`line ${node.line}: a terminal cannot have rules.`);
        return this.#named(node.name, node.line);
      case "sequence":
      case "choice": {
        const parts = node.parts.map((part) => this.#convert(part, inTerminal));
        const nodes = parts.map((part) => part.node);
        return { node: node.kind === "choice" ? either(nodes)! : inOrder(...nodes), ...sizeOfGroup(parts) };
      }
      case "repeat": {
        const { min, max } = node;
        const part = this.#convert(node.part, inTerminal);
        return { node: repeated(part.node, min, max), ...sizeOfRepeat(part, node) };
      }
      default:
        return this.#spaced(this.#characters(node), inTerminal);
    }
  }

  #characters(node: Extract<LarkNode, { kind: "text" | "regex" | "range" }>): Sized {
    if (node.kind === "text") {
      const exact = node.isCaseless ? caselessText(node.text) : text(node.text);
      return { node: exact, size: node.text.length + 1, depth: 2 };
    }
    if (node.kind === "regex") {
      const pattern = rustPattern(node.source, this.#budget, node.flags);
      return { node: pattern, ...sizeOf(pattern) };
    }
    const [from, to] = [node.from, node.to].map((char) => `\\u{${char.codePointAt(0)!.toString(16)}}`);
    return { node: rustPattern(`[${from}-${to}]`, this.#budget), size: 1, depth: 3 };
  }

  /** What is ignored may follow each terminal. */
  #spaced(sized: Sized, inTerminal: boolean): Sized {
    if (inTerminal || this.#gap.size === 0) return sized;
    return { node: inOrder(sized.node, this.#gap.node), ...sizeOfGroup([sized, this.#gap]) };
  }

  #named(name: string, line: number): Sized {
    if (this.#recursive.has(name)) return { node: { kind: "rule", name }, size: 1, depth: 1 };
    const known = this.#known.get(name);
    if (known) return known;
    const definition = this.#grammar.definitions.get(name);
    if (!definition) throw new PatternProblem(`line ${line}: '${name}' is not defined.`);
    if (this.#open.has(name))
      throw new PatternProblem(`line ${line}: the terminal '${name}' leads to itself.`);
    this.#open.add(name);
    const sized = this.#convert(definition, isTerminal(name));
    this.#open.delete(name);
    this.#known.set(name, sized);
    return sized;
  }

  /** A rule without the alternatives that begin with itself, which engines cannot follow: their rest may be repeated. */
  #rule(name: string): PatternNode {
    const definition = this.#grammar.definitions.get(name)!;
    const { node: whole, size } = this.#convert(definition, false);
    this.#total += size;
    if (this.#total > MAX_TOTAL) throw new PatternProblem("the grammar is too complex.");
    const options = optionsOf(whole);
    const isSelf = (node: PatternNode | undefined): boolean => node?.kind === "rule" && node.name === name;
    const first: PatternNode[] = [];
    const rests: PatternNode[] = [];
    for (const option of options) {
      const [head, ...rest] = partsOf(option);
      if (!isSelf(head)) first.push(option);
      else if (rest.length > 0) rests.push({ kind: "sequence", parts: rest });
    }
    const begin = either(first);
    if (!begin) throw new PatternProblem(`the rule '${name}' has no end.`);
    return rests.length === 0 ? begin : inOrder(begin, repeated(either(rests)!, 0, undefined));
  }
}

/** Alternatives, without groups. */
function optionsOf(node: PatternNode): PatternNode[] {
  return node.kind === "choice" ? node.parts.flatMap(optionsOf) : [node];
}

function partsOf(node: PatternNode): PatternNode[] {
  return node.kind === "sequence" ? node.parts.flatMap(partsOf) : [node];
}

type Size = Omit<Sized, "node">;

function sizeOf(node: PatternNode): Size {
  if (node.kind === "sequence" || node.kind === "choice") return sizeOfGroup(node.parts.map(sizeOf));
  if (node.kind === "repeat") return sizeOfRepeat(sizeOf(node.part), node);
  return { size: node.kind === "literal" ? node.text.length + 1 : 1, depth: 1 };
}

function sizeOfGroup(parts: readonly Size[]): Size {
  let [size, depth] = [1, 1];
  for (const part of parts) {
    size += part.size;
    depth = Math.max(depth, part.depth + 1);
  }
  return { size, depth };
}

function sizeOfRepeat({ size, depth }: Size, { min, max }: { min: number; max: number | undefined }): Size {
  return { size: size * Math.max(1, min, max ?? 1) + 1, depth: depth + 1 };
}

/** The rules that lead to themselves, in the order of the grammar. */
function recursiveRules(definitions: ReadonlyMap<string, LarkNode>): ReadonlySet<string> {
  const names = new Map([...definitions].map(([name, node]) => [name, namesIn(node)]));
  const rules = [...definitions.keys()].filter((name) => !isTerminal(name));
  return new Set(
    rules.filter((name) => {
      const reached = new Set(names.get(name));
      for (const one of reached) for (const next of names.get(one) ?? []) reached.add(next);
      return reached.has(name);
    }),
  );
}

function namesIn(node: LarkNode): string[] {
  if (node.kind === "name") return [node.name];
  if (node.kind === "repeat") return namesIn(node.part);
  return node.kind === "sequence" || node.kind === "choice" ? node.parts.flatMap(namesIn) : [];
}
