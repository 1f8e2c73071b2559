/** White space and line ends as Python knows them. */

import { isText, type Value } from "../values.ts";

/** What `str.isspace` says; JavaScript's set differs. */
export const SPACES: ReadonlySet<string> = new Set(
  "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000",
);

/** @param chars a text with the characters to remove. @default white space */
export function strip(given: string, chars?: Value, sides: "both" | "left" | "right" = "both"): string {
  if (isText(chars) && /[\ud800-\udfff]/.test(chars.value)) return stripCharacters(given, chars.value, sides);
  const set = isText(chars) ? new Set(chars.value) : SPACES;
  let [start, end] = [0, given.length];
  if (sides !== "right") while (start < end && set.has(given[start]!)) start++;
  if (sides !== "left") while (end > start && set.has(given[end - 1]!)) end--;
  return given.slice(start, end);
}

/** The same where a character may be a pair of surrogates. */
function stripCharacters(given: string, chars: string, sides: "both" | "left" | "right"): string {
  const set = new Set(chars);
  const all = Array.from(given);
  const start = sides === "right" ? 0 : all.findIndex((one) => !set.has(one));
  const end = sides === "left" ? all.length - 1 : all.findLastIndex((one) => !set.has(one));
  return start < 0 ? "" : all.slice(start, end + 1).join("");
}

/** Where `splitlines` cuts. */
const LINE_ENDS = new RegExp(`(\r\n|[${"\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"}])`);

/** As Python's `splitlines`. */
export function linesOf(given: string, keepsEnds: boolean): string[] {
  const lines = given.split(LINE_ENDS);
  const pairs = Array.from({ length: Math.ceil(lines.length / 2) }, (_, at) =>
    lines.slice(2 * at, 2 * at + 2),
  );
  if (pairs.at(-1)![0] === "") pairs.pop();
  return pairs.map(([line, end = ""]) => (keepsEnds ? line + end : line!));
}
