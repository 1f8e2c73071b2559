/** Characters and character classes of patterns. */

/** A set of ASCII codes and non-ASCII characters. */
export interface CharacterSet {
  ascii: ReadonlySet<number>;
  /** All non-ASCII characters, or these. */
  beyond: "all" | readonly string[];
}

/** The pattern is invalid, or uses features that a grammar cannot express. */
export class PatternProblem extends Error {
  override name = "PatternProblem" as const;
}

/** @throws {PatternProblem} for lone surrogates, which are no characters */
export function requireCharacters(text: string): void {
  if (/\p{Surrogate}/u.test(text)) throw new PatternProblem("lone surrogates are not supported.");
}

/** Maximum of non-ASCII characters in a range. */
export const MAX_BEYOND = 256;

/** @throws {PatternProblem} for a range that is too large */
export function addRange(low: number, high: number, ascii: Set<number>, beyond: string[]): void {
  for (let code = low; code <= Math.min(high, 0x7f); code++) ascii.add(code);
  if (high - Math.max(low, 0x80) > MAX_BEYOND) {
    throw new PatternProblem("large ranges beyond ASCII are not supported.");
  }
  for (let code = Math.max(low, 0x80); code <= high; code++) beyond.push(String.fromCodePoint(code));
}

export const ASCII_CHARACTERS = 0x80;

export function asciiExcept(codes: readonly number[]): Set<number> {
  const set = new Set(Array.from({ length: ASCII_CHARACTERS }, (_, code) => code));
  for (const code of codes) set.delete(code);
  return set;
}

const codesOf = (text: string): number[] => [...text].map((char) => char.codePointAt(0)!);
const DIGITS = codesOf("0123456789");
const WORDS = codesOf("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz");
const SPACES = codesOf(" \t\n\v\f\r");

export const CHARACTER_CLASSES: Record<string, CharacterSet> = {
  d: { ascii: new Set(DIGITS), beyond: [] },
  w: { ascii: new Set(WORDS), beyond: [] },
  s: { ascii: new Set(SPACES), beyond: [] },
  D: { ascii: asciiExcept(DIGITS), beyond: "all" },
  W: { ascii: asciiExcept(WORDS), beyond: "all" },
  // Non-ASCII white space cannot be told from letters, which matter more.
  S: { ascii: asciiExcept(SPACES), beyond: "all" },
};

export const CONTROL_ESCAPES: Record<string, string> = {
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  f: "\f",
  "0": "\0",
};

/** What a dot is: one set for all of them, as a pattern may have thousands. */
export const DOT: CharacterSet = { ascii: asciiExcept([0x0a, 0x0d]), beyond: "all" };

/** The characters of a set in upper and lower case. Kelvin's sign and the long s count as no case of `k` and `s`. */
export function inBothCases({ ascii, beyond }: CharacterSet): CharacterSet {
  const chars = [...[...ascii].map((code) => String.fromCharCode(code)), ...(beyond === "all" ? [] : beyond)];
  const forms = chars
    .flatMap((char) => [char, char.toLowerCase(), char.toUpperCase()])
    .filter((form) => [...form].length === 1);
  const named = [...new Set(forms.filter((form) => form > "\x7f"))];
  return {
    ascii: new Set(forms.filter((form) => form <= "\x7f").map((form) => form.charCodeAt(0))),
    beyond: beyond === "all" ? "all" : named,
  };
}

/** The set of one character. */
export function setOf(char: string): CharacterSet {
  return char > "\x7f"
    ? { ascii: new Set(), beyond: [char] }
    : { ascii: new Set([char.charCodeAt(0)]), beyond: [] };
}
