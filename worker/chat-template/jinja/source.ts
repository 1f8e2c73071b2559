/**
 * Jinja2's lexer: text with the white space that it keeps (`trim_blocks`, `lstrip_blocks`, signs), `{% raw %}`, comments,
 * and escapes and numbers as Python reads them. The package's lexer reads one tag at a time.
 */

import { tokenize } from "@huggingface/jinja";
import { forGrammar, type Token } from "./grammar.ts";
import { strip } from "./text/strip.ts";

const OPENING = /\{([#%{])([-+]?)/g;
const RAW = /\{%[-+]?\s*raw\s*(-?)%\}/y;
const END_OF_RAW = /\{%([-+]?)\s*endraw\s*([-+]?)%\}/g;
const END_OF_COMMENT = /([-+]?)#\}/g;
/** Within a tag: a text, the end of a statement, a bracket, or a quote that nothing closes. */
const PART = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|'[^'\\]*(?:\\[\s\S][^'\\]*)*'|[-+]?%\}|[{}()[\]"']/g;
const SPACE = /\s*/y;

/** @throws {Error} for a tag without an end */
export function tokensOf(written: string): Token[] {
  const source = written.endsWith("\n") ? written.slice(0, -1) : written;
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    const opening = findFrom(OPENING, source, at);
    const [mark, kind, sign] = (opening ?? []) as unknown as [string, string, string];
    const isLineStart = at === 0 || source[at - 1] === "\n";
    const before = source.slice(at, opening?.index);
    push(
      tokens,
      opening ? textBefore(before, kind === "{" && sign === "" ? "+" : sign, isLineStart) : before,
    );
    if (!opening) return tokens;
    const inside = opening.index + mark.length;
    RAW.lastIndex = opening.index;
    const raw = RAW.exec(source);
    if (raw) at = rawText(tokens, source, raw);
    else if (kind === "#") {
      const end = required(findFrom(END_OF_COMMENT, source, inside));
      at = afterBlock(source, end.index + end[0].length, end[1]!);
    } else {
      const tag = tagFrom(source, inside, kind);
      for (const token of forGrammar(tag.tokens)) tokens.push(token);
      at = tag.end;
    }
  }
}

function push(tokens: Token[], value: string): void {
  if (value !== "") tokens.push({ type: "Text", value });
}

function findFrom(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}

function required<T>(end: T | null): T {
  if (end === null) throw new Error("a tag has no end");
  return end;
}

/** The text in front of a tag. @param sign `-`, or `+` to keep white space; else that of the tag's own line goes */
function textBefore(given: string, sign: string, isLineStart: boolean): string {
  if (sign === "-") return strip(given, undefined, "right");
  const line = given.lastIndexOf("\n") + 1;
  const goes = sign !== "+" && (line > 0 || isLineStart) && strip(given.slice(line)) === "";
  return goes ? given.slice(0, line) : given;
}

/** Where the text after a statement or a comment begins: without the line's end, unless a sign says otherwise. */
function afterBlock(source: string, end: number, sign: string): number {
  if (sign === "-") return afterSpace(source, end);
  return sign === "" && source[end] === "\n" ? end + 1 : end;
}

function afterSpace(source: string, at: number): number {
  SPACE.lastIndex = at;
  return at + SPACE.exec(source)![0].length;
}

/** @returns where the text after `{% endraw %}` begins */
function rawText(tokens: Token[], source: string, raw: RegExpExecArray): number {
  const begin = raw.index + raw[0].length;
  const end = required(findFrom(END_OF_RAW, source, begin));
  const [mark, before, after] = end as unknown as [string, string, string];
  const from = raw[1] === "-" ? Math.min(afterSpace(source, begin), end.index) : begin;
  push(tokens, textBefore(source.slice(from, end.index), before, source[from - 1] === "\n"));
  return afterBlock(source, end.index + mark.length, after);
}

/** @param kind `%` or `{` */
function tagFrom(source: string, from: number, kind: string): { tokens: Token[]; end: number } {
  let text = "";
  let at = from;
  let depth = 0;
  for (;;) {
    const part = required(findFrom(PART, source, at));
    const [found] = part;
    text += source.slice(at, part.index).replace(NUMBER, plainNumber);
    at = part.index + found.length;
    if (found === '"' || found === "'") required(null);
    if (depth === 0 && found === "}" && kind === "{" && source[at] === "}") {
      const hasSign = text.endsWith("-");
      const end = hasSign ? afterSpace(source, at + 1) : at + 1;
      return { tokens: tokenize(`{{ ${hasSign ? text.slice(0, -1) : text} }}`), end };
    }
    if (depth === 0 && kind === "%" && found.endsWith("%}")) {
      const end = afterBlock(source, at, found.slice(0, -2));
      return { tokens: tokenize(`{% ${text.replace(GENERATION, "$1with")} %}`), end };
    }
    if ("([{".includes(found)) depth++;
    else if (")]}".includes(found)) depth--;
    text += found.startsWith('"') || found.startsWith("'") ? found.replace(ESCAPE, pythonEscape) : found;
  }
}

/** The tag of transformers around the assistant's text: a scope, as that of `with`, which the package would drop. */
const GENERATION = /^\s*(end)?generation\s*$/;

/** Numbers with a base, an exponent or underscores, which the package's lexer does not read, and plain ones. */
const NUMBER = /(?<![\w.])(?:0[box][\da-f_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:e[+-]?\d[\d_]*)?)(?!\w)/gi;

function plainNumber(written: string): string {
  const given = written.replaceAll("_", "");
  if (/^0[box]/i.test(given)) return BigInt(given).toString();
  if (!/e/i.test(given)) return given;
  const [digits, exponent] = Number(given).toExponential().split("e") as [string, string];
  const [whole, fraction = ""] = digits.split(".") as [string, string?];
  const all = whole + fraction;
  const point = 1 + Number(exponent);
  if (!(Math.abs(point) < 400)) return written;
  return point > 0
    ? `${all.padEnd(point, "0").slice(0, point)}.${all.slice(point) || "0"}`
    : `0.${"0".repeat(-point)}${all}`;
}

const ESCAPE = /\\(?:U[0-9a-fA-F]{8}|[0-7]{1,3}|[\s\S])/g;
/** Escapes that the package reads as Python does. */
const SHARED = new Set([..."ntrbfv'\"\\xu"]);

/** As Python reads it: an unknown escape stays as it is. */
function pythonEscape(written: string): string {
  const rest = written.slice(1);
  if (SHARED.has(rest)) return written;
  if (rest === "\n") return "";
  if (rest === "a") return "\\x07";
  if (/^U./.test(rest)) return String.fromCodePoint(Number.parseInt(rest.slice(1), 16));
  if (/^[0-7]/.test(rest)) return `\\u${Number.parseInt(rest, 8).toString(16).padStart(4, "0")}`;
  return `\\\\${rest}`;
}
