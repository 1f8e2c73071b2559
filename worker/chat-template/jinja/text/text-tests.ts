/** Methods of Python's texts that say what all characters are. */

import { boolean, type Value } from "../values.ts";
import { strip } from "./strip.ts";

type TextTest = (given: string) => Value;

const every =
  (pattern: RegExp): TextTest =>
  (given) =>
    boolean(pattern.test(given));

const isLower = (given: string): boolean => given === given.toLowerCase() && given !== given.toUpperCase();
const isUpper = (given: string): boolean => given === given.toUpperCase() && given !== given.toLowerCase();

/** Whether each letter that has both cases is a capital at the start of a word, and small within one. */
function isTitle(given: string): boolean {
  let [isWithin, hasLetter] = [false, false];
  for (const one of given) {
    if (isWithin ? isUpper(one) : isLower(one)) return false;
    isWithin = isUpper(one) || isLower(one);
    hasLetter ||= isWithin;
  }
  return hasLetter;
}

export const TEXT_TESTS = {
  isalnum: every(/^[\p{L}\p{N}]+$/u),
  isalpha: every(/^\p{L}+$/u),
  isascii: every(/^[^\u0080-\u{10ffff}]*$/u),
  isdecimal: every(/^\p{Nd}+$/u),
  isdigit: every(/^[\p{Nd}²³¹⁰-⁹₀-₉]+$/u),
  isidentifier: every(/^[\p{XID_Start}_]\p{XID_Continue}*$/u),
  islower: (given) => boolean(isLower(given)),
  isnumeric: every(/^\p{N}+$/u),
  isprintable: every(/^(?:[^\p{C}\p{Z}]| )*$/u),
  isspace: (given) => boolean(given !== "" && strip(given) === ""),
  istitle: (given) => boolean(isTitle(given)),
  isupper: (given) => boolean(isUpper(given)),
} satisfies Record<string, TextTest>;
