/** Python's `textwrap.wrap`, as Jinja2's `wordwrap` calls it. */

import type { Budget } from "../budget.ts";
import { lengthOf } from "../text/python-text.ts";
import { strip } from "../text/strip.ts";

interface WrapForm {
  width: number;
  breaksLongWords: boolean;
  breaksAtHyphens: boolean;
}

const WORD = String.raw`[\p{L}\p{N}_!"'&.,?]`;
const SPACE = String.raw`[\t\n\v\f\r ]`;
const LETTER = String.raw`[\p{L}_]`;
/** White space, a dash between words, or a word up to where its line may end. */
const PARTS = new RegExp(
  String.raw`${SPACE}+|(?<=${WORD})-{2,}(?=[\p{L}\p{N}_])|[^\t\n\v\f\r ]+?(?:-(?:(?<=${LETTER}{2}-)|(?<=${LETTER}-${WORD}-))(?=${LETTER}-?${LETTER})|(?=${SPACE}|$)|(?<=${WORD})(?=-{2,}[\p{L}\p{N}_]))`,
  "gu",
);
const WORDS = new RegExp(`${SPACE}+|[^\t\n\v\f\r ]+`, "gu");

/** @throws {Error} for a width below 1 */
export function wrapped(line: string, form: WrapForm, budget: Budget): string[] {
  const { width } = form;
  if (!(width > 0)) throw new Error("wordwrap needs a width of at least 1");
  // The next part is the last.
  const parts = (line.match(form.breaksAtHyphens ? PARTS : WORDS) ?? []).reverse();
  budget.spend(parts.length);
  const lines: string[] = [];
  while (parts.length > 0) {
    budget.spend(1);
    const made: string[] = [];
    let length = 0;
    if (lines.length > 0 && isSpace(parts.at(-1)!)) parts.pop();
    while (parts.length > 0 && length + lengthOf(parts.at(-1)!) <= width) {
      length += lengthOf(parts.at(-1)!);
      made.push(parts.pop()!);
    }
    if (parts.length > 0 && lengthOf(parts.at(-1)!) > width) {
      budget.spendCharacters(2 * parts.at(-1)!.length);
      breakWord(parts, made, width - length, form);
    }
    if (made.length > 0 && isSpace(made.at(-1)!)) made.pop();
    if (made.length > 0) lines.push(made.join(""));
  }
  return lines;
}

function isSpace(part: string): boolean {
  return strip(part) === "";
}

/** A word that is longer than a line: what fits of it, or all of it on a line of its own. */
function breakWord(parts: string[], made: string[], room: number, form: WrapForm): void {
  if (!form.breaksLongWords) {
    if (made.length === 0) made.push(parts.pop()!);
    return;
  }
  const characters = Array.from(parts.pop()!);
  const hyphen = form.breaksAtHyphens ? characters.slice(0, room).lastIndexOf("-") : -1;
  const isWithin = hyphen > 0 && characters.slice(0, hyphen).some((one) => one !== "-");
  const end = isWithin ? hyphen + 1 : room;
  made.push(characters.slice(0, end).join(""));
  parts.push(characters.slice(end).join(""));
}
