/** Tokens of Lark grammars. */

import { PatternProblem } from "../pattern/pattern-characters.ts";

export type TokenKind = "rule" | "terminal" | "string" | "regex" | "number" | "directive" | "symbol";

export interface Token {
  kind: TokenKind;
  text: string;
  /** Counted from 1. */
  line: number;
}

const KINDS: readonly [kind: TokenKind | "space", pattern: RegExp][] = [
  ["space", /(?:\s|\/\/[^\n]*|#[^\n]*)+/y],
  ["directive", /%[a-z_]+/y],
  ["string", /"(?:\\.|[^"\\\n])*"i?/y],
  ["regex", /\/(?:\\.|[^/\\\n])+\/[a-z]*/y],
  ["rule", /_*[a-z][a-zA-Z0-9_]*/y],
  ["terminal", /_*[A-Z][a-zA-Z0-9_]*/y],
  ["number", /\d+/y],
  ["symbol", /\.\.|->|[|?*+()[\]{}~:,.!]/y],
];

/** @throws {PatternProblem} for what begins no token */
export function larkTokens(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let line = 1;
  while (at < source.length) {
    const [kind, text] = tokenAt(source, at) ?? [];
    if (kind === undefined || text === undefined) {
      const found = source.slice(at, at + 20).split("\n")[0];
      throw new PatternProblem(`line ${line}: '${found}' is not valid Lark, or not supported.`);
    }
    if (kind !== "space") tokens.push({ kind, text, line });
    for (const char of text) if (char === "\n") line++;
    at += text.length;
  }
  return tokens;
}

function tokenAt(source: string, at: number): readonly [TokenKind | "space", string] | undefined {
  for (const [kind, pattern] of KINDS) {
    pattern.lastIndex = at;
    const text = pattern.exec(source)?.[0];
    if (text !== undefined) return [kind, text];
  }
  return undefined;
}
