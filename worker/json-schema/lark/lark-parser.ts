/**
 * Parses Lark grammars, as far as OpenAI's custom tools take them: no templates, priorities, `%declare`, and imports of
 * other grammars than `common`.
 */

import type { CompileBudget } from "../budget.ts";
import { PatternProblem, requireCharacters } from "../pattern/pattern-characters.ts";
import { COMMON } from "./lark-common.ts";
import { larkTokens, type Token, type TokenKind } from "./lark-tokens.ts";

export type LarkNode =
  | { kind: "text"; text: string; isCaseless: boolean }
  | { kind: "regex"; source: string; flags: string }
  | { kind: "range"; from: string; to: string }
  /** Of a rule or a terminal. */
  | { kind: "name"; name: string; line: number }
  | { kind: "sequence" | "choice"; parts: LarkNode[] }
  | { kind: "repeat"; part: LarkNode; min: number; max: number | undefined };

export interface LarkGrammar {
  /** Rules and terminals by name. */
  definitions: ReadonlyMap<string, LarkNode>;
  /** What may stand between terminals. */
  ignored: LarkNode[];
}

const MAX_DEFINITIONS = 1_000;

/** @throws {PatternProblem} that names the line; {BudgetProblem} if groups are nested too deep */
export function parseLark(source: string, budget: CompileBudget): LarkGrammar {
  return new LarkParser(larkTokens(source), budget).grammar();
}

export function isTerminal(name: string): boolean {
  return /^_*[A-Z]/.test(name);
}

class LarkParser {
  readonly #tokens: readonly Token[];
  readonly #budget: CompileBudget;
  readonly #definitions = new Map<string, LarkNode>();
  readonly #ignored: LarkNode[] = [];
  #at = 0;

  constructor(tokens: readonly Token[], budget: CompileBudget) {
    this.#tokens = tokens;
    this.#budget = budget;
  }

  grammar(): LarkGrammar {
    while (this.#peek) {
      if (this.#peek.kind === "directive") this.#directive();
      else this.#definition();
    }
    return { definitions: this.#definitions, ignored: this.#ignored };
  }

  #definition(): void {
    // They only shape Lark's trees.
    if (!this.#takes("?")) this.#takes("!");
    const name = this.#expect("rule", "terminal");
    if (this.#is(".")) throw this.#problem("priorities are not supported.");
    if (this.#is("{")) throw this.#problem("templates are not supported.");
    this.#expectSymbol(":");
    this.#define(name, this.#choice());
  }

  #define(name: string, node: LarkNode): void {
    if (this.#definitions.size >= MAX_DEFINITIONS)
      throw new PatternProblem(`the grammar has more than ${MAX_DEFINITIONS} rules and terminals.`);
    if (this.#definitions.has(name)) throw this.#problem(`'${name}' is defined twice.`);
    this.#definitions.set(name, node);
  }

  #directive(): void {
    const directive = this.#expect("directive");
    if (directive === "%ignore") this.#ignored.push(this.#choice());
    else if (directive === "%import") this.#import();
    else throw this.#problem(`'${directive}' is not supported.`);
  }

  #import(): void {
    if (this.#expect("rule") !== "common") throw this.#problem("only 'common' can be imported.");
    if (this.#takes("(")) {
      do this.#importOne();
      while (this.#takes(","));
      this.#expectSymbol(")");
    } else {
      this.#expectSymbol(".");
      this.#importOne();
    }
  }

  #importOne(): void {
    const name = this.#expect("terminal");
    const source = COMMON.get(name);
    if (source === undefined) throw this.#problem(`there is no terminal '${name}' in 'common'.`);
    const alias = this.#takes("->") ? this.#expect("terminal") : name;
    this.#define(alias, { kind: "regex", source, flags: "" });
  }

  #choice(): LarkNode {
    return this.#budget.nested(() => {
      const parts = [this.#sequence()];
      while (this.#takes("|")) parts.push(this.#sequence());
      return parts.length === 1 ? parts[0]! : { kind: "choice", parts };
    });
  }

  #sequence(): LarkNode {
    const parts: LarkNode[] = [];
    while (this.#beginsItem()) parts.push(this.#repeated());
    // Names of alternatives only shape trees.
    if (this.#takes("->")) this.#expect("rule", "terminal");
    return parts.length === 1 ? parts[0]! : { kind: "sequence", parts };
  }

  /** Line breaks have no meaning: a name before a colon begins the next definition. */
  #beginsItem(): boolean {
    const token = this.#peek;
    if (!token || token.kind === "directive" || token.kind === "number") return false;
    if (token.kind === "symbol") return token.text === "(" || token.text === "[";
    if (token.kind === "string" || token.kind === "regex") return true;
    const next = this.#tokens[this.#at + 1];
    if (next?.kind === "symbol" && next.text === ".") return false;
    return !(next?.kind === "symbol" && next.text === ":");
  }

  #repeated(): LarkNode {
    const part = this.#item();
    if (this.#takes("?")) return this.#endsDefinition(part) ?? { kind: "repeat", part, min: 0, max: 1 };
    if (this.#takes("*")) return { kind: "repeat", part, min: 0, max: undefined };
    if (this.#takes("+")) return { kind: "repeat", part, min: 1, max: undefined };
    if (this.#takes("~")) {
      const min = Number(this.#expect("number"));
      return this.#counted(part, min, this.#takes("..") ? Number(this.#expect("number")) : min);
    }
    return this.#takes("{") ? this.#braced(part) : part;
  }

  /** A question mark on the line of the next definition is of that one: `?name:`. */
  #endsDefinition(part: LarkNode): LarkNode | undefined {
    const [mark, name, colon] = [-1, 0, 1].map((by) => this.#tokens[this.#at + by]);
    const isOfNext = name?.kind === "rule" && colon?.text === ":" && mark?.line === name.line;
    if (!isOfNext || this.#tokens[this.#at - 2]?.line === mark?.line) return undefined;
    this.#at--;
    return part;
  }

  #braced(part: LarkNode): LarkNode {
    const number = (): number | undefined =>
      this.#peek?.kind === "number" ? Number(this.#expect("number")) : undefined;
    const min = number();
    if (min === undefined && !this.#is(",")) throw this.#problem("templates are not supported.");
    const max = this.#takes(",") ? number() : min;
    this.#expectSymbol("}");
    return this.#counted(part, min ?? 0, max);
  }

  #counted(part: LarkNode, min: number, max: number | undefined): LarkNode {
    if (max !== undefined && max < min) throw this.#problem("a repetition ends before it begins.");
    return { kind: "repeat", part, min, max };
  }

  #item(): LarkNode {
    if (this.#takes("(")) return this.#group(")");
    if (this.#takes("[")) return { kind: "repeat", part: this.#group("]"), min: 0, max: 1 };
    const { kind, text, line } = this.#next();
    if (kind === "string") return this.#string(text);
    if (kind !== "regex") return { kind: "name", name: text, line };
    const end = text.lastIndexOf("/");
    return { kind: "regex", source: text.slice(1, end).replaceAll("\\/", "/"), flags: text.slice(end + 1) };
  }

  #group(end: string): LarkNode {
    const node = this.#choice();
    this.#expectSymbol(end);
    return node;
  }

  #string(token: string): LarkNode {
    const from = textOf(token);
    if (!this.#takes("..")) return { kind: "text", text: from, isCaseless: token.endsWith("i") };
    const to = textOf(this.#expect("string"));
    if ([...from].length !== 1 || [...to].length !== 1 || from > to)
      throw this.#problem("a range is from one character to a later one.");
    return { kind: "range", from, to };
  }

  get #peek(): Token | undefined {
    return this.#tokens[this.#at];
  }

  #next(): Token {
    const token = this.#tokens[this.#at++];
    if (!token) throw this.#problem("the grammar ends too early.");
    return token;
  }

  #is(symbol: string): boolean {
    return this.#peek?.kind === "symbol" && this.#peek.text === symbol;
  }

  #takes(symbol: string): boolean {
    if (!this.#is(symbol)) return false;
    this.#at++;
    return true;
  }

  #expect(...kinds: TokenKind[]): string {
    const token = this.#peek;
    if (token && kinds.includes(token.kind)) return this.#next().text;
    throw this.#problem(`expected a ${kinds.join(" or ")}, got '${token?.text ?? "the end"}'.`);
  }

  #expectSymbol(symbol: string): void {
    if (!this.#takes(symbol))
      throw this.#problem(`expected '${symbol}', got '${this.#peek?.text ?? "the end"}'.`);
  }

  #problem(message: string): PatternProblem {
    const { line } = this.#peek ?? this.#tokens.at(-1) ?? { line: 1 };
    return new PatternProblem(`line ${line}: ${message}`);
  }
}

const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))/gs;
const CONTROLS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", f: "\f", v: "\v", b: "\b" };

/** The text of a string token. @throws {PatternProblem} for lone surrogates */
function textOf(token: string): string {
  const escaped = token.slice(1, token.lastIndexOf('"'));
  const text = escaped.replace(ESCAPE, (_, short, long, char) =>
    char === undefined ? String.fromCharCode(Number.parseInt(short ?? long, 16)) : (CONTROLS[char] ?? char),
  );
  requireCharacters(text);
  return text;
}
