/**
 * Rewrites the tokens of a tag that only Jinja2's grammar has for the package's parser: tests with an argument or a
 * filter after them, tuples of one or no element or without parentheses, comparisons in parentheses, signs after
 * mappings, `with`, filter blocks, recursive loops.
 */

import type { tokenize } from "@huggingface/jinja";

export type Token = ReturnType<typeof tokenize>[number];

const CLOSING: Readonly<Record<string, string>> = {
  OpenParen: "CloseParen",
  OpenSquareBracket: "CloseSquareBracket",
  OpenCurlyBracket: "CloseCurlyBracket",
};
const VALUES = new Set(["Identifier", "StringLiteral", "NumericLiteral", ...Object.keys(CLOSING)]);
/** Words that are no argument of the test in front of them. */
const AFTER_TEST = new Set(["and", "else", "if", "in", "is", "not", "or", "recursive"]);
/** Words that a tuple may follow; after other ones a parenthesis begins the arguments of a call. */
const BEFORE_VALUE = new Set(["and", "elif", "else", "if", "in", "is", "not", "or"]);

/** Names that a template cannot write: of the function that makes a tuple, and of the filter that makes a scope. */
export const TUPLE = "(tuple)";
export const WITH = "(with)";
/** Of the variable whose block is written in place of being set: `{% filter %}`. */
export const FILTERED = "(filtered)";
/** Of the filter after a comparison or an `if` in parentheses, which is no part of what follows it. */
export const GROUP = "(group)";

const identifier = (value: string): Token => ({ type: "Identifier", value });
const PIPE: Token = { type: "Pipe", value: "|" };
const COMMA: Token = { type: "Comma", value: "," };
const OPEN: Token = { type: "OpenParen", value: "(" };
const CLOSE: Token = { type: "CloseParen", value: ")" };

export function forGrammar(tag: readonly Token[]): readonly Token[] {
  const [open, word] = tag;
  const isStatement = open?.type === "OpenStatement";
  if (isStatement && word?.value === "endwith") return [open, identifier("endfor"), ...tag.slice(2)];
  // A block that no other template replaces is a scope, whose name may be written again at its end.
  if (isStatement && word?.value === "block") return scope([open, word, tag.at(-1)!]);
  if (isStatement && word?.value === "endblock") return [open, identifier("endfor"), tag.at(-1)!];
  if (isStatement && word?.value === "with") return scope(tag);
  if (isStatement && word?.value === "endfilter") return [open, identifier("endset"), ...tag.slice(2)];
  // The package's statement takes one filter, a block that is set several.
  if (isStatement && word?.value === "filter")
    return [open, identifier("set"), identifier(FILTERED), PIPE, ...new Tag(tag.slice(2)).rewritten()];
  const [before, last] = tag.slice(-3, -1);
  const isName = before?.type === "Dot" || BEFORE_VALUE.has(before?.value ?? "");
  const isRecursive = isStatement && word?.value === "for" && isWord(last, "recursive") && !isName;
  return new Tag(withTuple(isRecursive ? tag.toSpliced(-2, 1) : tag)).rewritten();
}

/** `{{ a, b }}` and `{% for x in a, b %}`, whose tuples have parentheses in the package's grammar. */
function withTuple(tag: readonly Token[]): readonly Token[] {
  const isLoop = isWord(tag[1], "for");
  if (!isLoop && tag[0]?.type !== "OpenExpression") return tag;
  const from = isLoop ? tag.findIndex((token) => isWord(token, "in")) + 1 : 1;
  let depth = 0;
  let isTuple = false;
  let at = from;
  for (; at < tag.length - 1; at++) {
    const token = tag[at]!;
    if (token.type in CLOSING) depth++;
    else if (token.type.startsWith("Close")) depth--;
    else if (depth === 0 && isLoop && isWord(token, "if")) break;
    else if (depth === 0 && token.type === "Comma") isTuple = true;
  }
  return isTuple ? [...tag.slice(0, from), ...group(tag.slice(from, at)), ...tag.slice(at)] : tag;
}

function isWord(token: Token | undefined, value: string): boolean {
  return token?.type === "Identifier" && token.value === value;
}

/** `{% with a = x, b = y %}` as a loop that runs once: `{% for a, b in (x, y) | (with) %}`. */
function scope([open, , ...rest]: readonly Token[]): Token[] {
  const close = rest.pop();
  // Targets and values by turns.
  const parts: Token[][] = [[]];
  let depth = 0;
  for (const token of rest) {
    if (token.type in CLOSING) depth++;
    else if (token.type.startsWith("Close")) depth--;
    const end = parts.length % 2 === 1 ? "Equals" : "Comma";
    if (depth === 0 && token.type === end) parts.push([]);
    else parts.at(-1)!.push(token);
  }
  const targets = parts.filter((_, at) => at % 2 === 0).map((part) => (part.length > 1 ? group(part) : part));
  const values = parts.filter((_, at) => at % 2 === 1).map((part) => new Tag(part).rewritten());
  const [target, value] =
    rest.length > 0 ? [list(targets), group(list(values))] : [[identifier(WITH)], [identifier("none")]];
  return [open!, identifier("for"), ...target, identifier("in"), ...value, PIPE, identifier(WITH), close!];
}

function group(inside: readonly Token[]): Token[] {
  return [OPEN, ...inside, CLOSE];
}

function list(parts: readonly Token[][]): Token[] {
  return parts.flatMap((part, at) => (at === 0 ? part : [COMMA, ...part]));
}

/** One pass over the tokens of a tag. */
class Tag {
  readonly #tokens: readonly Token[];
  #at = 0;
  #made: (Token | undefined)[] = [];

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  rewritten(): Token[] {
    while (this.#at < this.#tokens.length) this.#next();
    return this.#made.filter((token) => token !== undefined);
  }

  /** Copies one token, or a group or a test as a whole. */
  #next(): void {
    const token = this.#tokens[this.#at]!;
    const isAttribute = this.#tokens[this.#at - 1]?.type === "Dot";
    if (token.type in CLOSING) this.#group();
    else if (isWord(token, "is") && !isAttribute) this.#test();
    else {
      this.#copySigned(token);
      // `loop(...)` of recursive loops is a method of the package's `loop`, which is a mapping.
      if (isWord(token, "loop") && !isAttribute && this.#is("OpenParen"))
        this.#made.push({ type: "Dot", value: "." }, identifier("recurse"));
    }
  }

  /** A sign after a mapping is an operator, which the package's lexer reads as the sign of what follows. */
  #copySigned({ type, value }: Token): void {
    const isAfterMapping = this.#tokens[this.#at - 1]?.type === "CloseCurlyBracket";
    if (!isAfterMapping || (type !== "UnaryOperator" && type !== "NumericLiteral") || !/^[-+]/.test(value)) {
      this.#copy();
      return;
    }
    this.#made.push({ type: "AdditiveBinaryOperator", value: value.slice(0, 1) });
    if (value.length > 1) this.#made.push({ type: "NumericLiteral", value: value.slice(1) });
    this.#at++;
  }

  #copy(): void {
    this.#made.push(this.#tokens[this.#at++]);
  }

  #is(...types: string[]): boolean {
    return types.includes(this.#tokens[this.#at]?.type ?? "");
  }

  #group(): void {
    const open = this.#tokens[this.#at]!;
    const before = this.#tokens[this.#at - 1];
    const isCall =
      before?.type === "CloseParen" ||
      before?.type === "CloseSquareBracket" ||
      (before?.type === "Identifier" && !BEFORE_VALUE.has(before.value));
    const name = this.#made.push(undefined) - 1;
    this.#copy();
    const commas = this.#inside(CLOSING[open.type]!);
    const isEmpty = this.#made.length === name + 2;
    const hasComma = this.#made.at(-1)?.type === "Comma";
    if (open.type === "OpenParen" && !isCall && (isEmpty || hasComma)) {
      if (hasComma) this.#made.pop();
      if (commas < 2) this.#made[name] = identifier(TUPLE);
    }
    if (this.#at < this.#tokens.length) this.#copy();
    const isGroup = open.type === "OpenParen" && !isCall && commas === 0;
    if (isGroup && (this.#comparesNext() || (isWord(before, "in") && this.#endsLoop())))
      this.#made.push(PIPE, identifier(GROUP));
  }

  #comparesNext(): boolean {
    const next = this.#tokens[this.#at];
    return next?.type === "ComparisonBinaryOperator" || isWord(next, "in") || isWord(next, "not");
  }

  /** Whether an `if` in parentheses before it chooses the list: `for x in (a if b)`. */
  #endsLoop(): boolean {
    return this.#is("CloseStatement") || isWord(this.#tokens[this.#at], "if");
  }

  /** @returns the commas of the group itself */
  #inside(closing: string): number {
    let commas = 0;
    while (this.#at < this.#tokens.length && !this.#is(closing)) {
      if (this.#is("Comma")) commas++;
      this.#next();
    }
    return commas;
  }

  /** `x is not name y` as `x | is not("name", y)`. */
  #test(): void {
    const isNegated = isWord(this.#tokens[this.#at + 1], "not");
    const name = this.#at + (isNegated ? 2 : 1);
    const argument = this.#tokens[name + 1];
    const isArgument =
      argument !== undefined &&
      VALUES.has(argument.type) &&
      !(argument.type === "Identifier" && AFTER_TEST.has(argument.value));
    if (!isArgument && argument?.type !== "Pipe") {
      while (this.#at <= name) this.#copy();
      return;
    }
    const test: Token = { type: "StringLiteral", value: this.#tokens[name]?.value ?? "" };
    this.#made.push(PIPE, identifier(isNegated ? "is not" : "is"), OPEN, test);
    this.#at = name + 1;
    if (isArgument) this.#made.push(COMMA);
    if (isArgument && this.#is("OpenParen")) {
      this.#at++;
      this.#inside("CloseParen");
      this.#at++;
    } else if (isArgument) this.#operand();
    this.#made.push(CLOSE);
  }

  /** A value with its attributes, elements and calls. */
  #operand(): void {
    const isText = this.#is("StringLiteral");
    this.#next();
    while (isText && this.#is("StringLiteral")) this.#copy();
    while (this.#is("Dot", "OpenSquareBracket", "OpenParen")) {
      if (this.#is("Dot")) this.#copy();
      this.#next();
    }
  }
}
