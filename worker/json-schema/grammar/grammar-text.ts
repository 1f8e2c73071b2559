/** Builds EBNF expressions for xgrammar. */

export type Expression = string;

/** A string literal. */
export function literal(text: string): Expression {
  return `"${text.replace(/[\\"]/g, "\\$&").replace(CONTROLS, (char) => codeEscape(char, "u", 4))}"`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they have to be escaped
const CONTROLS = /[\x00-\x1f\x7f]/g;

/** In texts `u`, of four digits: after `x`, xgrammar reads all digits that follow. */
function codeEscape(char: string, letter: "u" | "x", digits: number): string {
  return `\\${letter}${char.charCodeAt(0).toString(16).padStart(digits, "0")}`;
}

/** A class of the ASCII characters with these codes, or its complement. */
export function characterClass(codes: readonly number[], negated = false): Expression {
  const escaped = codes.map((code) => codeEscape(String.fromCharCode(code), "x", 2));
  return `[${negated ? "^" : ""}${escaped.join("")}]`;
}

export function sequence(...parts: Expression[]): Expression {
  return parts.filter((part) => part !== '""').join(" ") || '""';
}

/** Not for text: alternatives must not have common prefixes (see automaton.ts). */
export function choice(options: readonly Expression[]): Expression {
  const known = [...new Set(options)];
  if (known.length <= 1) return known[0] ?? '""';
  // xgrammar only supports an empty option as `?`.
  const filled = known.filter((option) => option !== '""');
  const group = filled.length === 1 ? `(${filled[0]})` : `(${filled.join(" | ")})`;
  return filled.length < known.length ? `${group}?` : group;
}

/** Elements with a separator between them. */
export function list(element: Expression, separator: Expression, min: number, max?: number): Expression {
  if (max === 0) return '""';
  const others = repeat(sequence(separator, element), Math.max(0, min - 1), max && max - 1);
  const all = sequence(element, others);
  return min === 0 ? `(${all})?` : all;
}

export function repeat(part: Expression, min: number, max: number | undefined): Expression {
  if (max === 0 || part === '""') return '""';
  if (min === 1 && max === 1) return part;
  if (min === 0 && max === 1) return `(${part})?`;
  if (max !== undefined) return `(${part}){${min},${max}}`;
  if (min <= 1) return `(${part})${min === 0 ? "*" : "+"}`;
  // xgrammar's `{n,}` takes memory that grows with the square of what is written: 2 GB for 8,000 characters.
  return `(${part}){${min}} (${part})*`;
}
