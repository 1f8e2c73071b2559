/** Methods of Python's texts. */

import type { Budget } from "../budget.ts";
import {
  type Arguments,
  argument,
  boolean,
  elementsOf,
  integer,
  isInteger,
  isList,
  isMapping,
  isNone,
  isText,
  isTrue,
  list,
  text,
  tuple,
  type Value,
} from "../values.ts";
import { braceFormat } from "./format.ts";
import { zeroFilled } from "./format-value.ts";
import { lengthOf, str } from "./python-text.ts";
import { linesOf, SPACES, strip } from "./strip.ts";
import { TEXT_TESTS } from "./text-tests.ts";

type Method = (given: string, args: Arguments, budget: Budget) => Value;

/** @param count of the first ones to replace; negative: all */
export function replaced(given: string, old: string, next: string, count: number, budget: Budget): string {
  const parts = old === "" ? ["", ...given, ""] : given.split(old);
  const most = count < 0 ? parts.length - 1 : Math.min(count, parts.length - 1);
  budget.require(given.length + most * next.length);
  return (
    parts.slice(0, most + 1).join(next) +
    (most < parts.length - 1 ? old : "") +
    parts.slice(most + 1).join(old)
  );
}

/** Python puts the odd place left where the width is odd. */
export function centered(given: string, width: number, pad = " "): string {
  const gap = Math.max(0, width - lengthOf(given));
  const left = Math.floor(gap / 2) + (gap & width & 1);
  return pad.repeat(left) + given + pad.repeat(gap - left);
}

export function capitalized(given: string): string {
  return given.slice(0, 1).toUpperCase() + given.slice(1).toLowerCase();
}

/** Each word costs a step: it becomes a text of its own. */
export function titled(given: string, word: RegExp, budget: Budget): string {
  return given.replace(word, (found) => {
    budget.spend(1);
    return capitalized(found);
  });
}

function required(args: Arguments, at = 0): string {
  const value = args.given[at];
  if (!isText(value)) throw new Error("a method of a text needs a text");
  return value.value;
}

/** Whether a test is true of the text or of one of several. */
function anyOf(args: Arguments, test: (part: string) => boolean): Value {
  const [parts] = args.given;
  return boolean(isList(parts) ? parts.value.some((one) => test(str(one))) : test(required(args)));
}

function split(given: string, args: Arguments, fromRight: boolean): Value {
  const separator = argument(args, 0, "sep");
  const limit = argument(args, 1, "maxsplit");
  const most = isInteger(limit) && limit.value >= 0 ? limit.value : Number.POSITIVE_INFINITY;
  const parts =
    separator === undefined || isNone(separator)
      ? splitAtSpaces(given, most, fromRight)
      : splitAt(given, required({ ...args, given: [separator] }), most, fromRight);
  return list(parts.map(text));
}

function splitAt(given: string, separator: string, most: number, fromRight: boolean): string[] {
  if (separator === "") throw new Error("empty separator");
  const parts = given.split(separator);
  if (parts.length <= most + 1) return parts;
  if (!fromRight) return [...parts.slice(0, most), parts.slice(most).join(separator)];
  const kept = parts.length - most;
  return [parts.slice(0, kept).join(separator), ...parts.slice(kept)];
}

function splitAtSpaces(given: string, most: number, fromRight: boolean): string[] {
  const words: [start: number, end: number][] = [];
  for (let at = 0; at < given.length; at++) {
    if (SPACES.has(given[at]!)) continue;
    const start = at;
    while (at < given.length && !SPACES.has(given[at]!)) at++;
    words.push([start, at]);
  }
  const cut = (from: number, to?: number): string[] =>
    words.slice(from, to).map(([start, end]) => given.slice(start, end));
  if (words.length <= most) return cut(0);
  if (!fromRight) return [...cut(0, most), ...rest(words[most], ([start]) => given.slice(start))];
  const kept = words.length - most;
  return [...rest(words[kept - 1], ([, end]) => given.slice(0, end)), ...cut(kept)];
}

function rest<T>(word: T | undefined, cut: (word: T) => string): string[] {
  return word === undefined ? [] : [cut(word)];
}

function partition(given: string, args: Arguments, at: number): Value {
  const separator = required(args);
  if (separator === "") throw new Error("empty separator");
  if (at < 0) return tuple([given, "", ""].map(text));
  return tuple([given.slice(0, at), separator, given.slice(at + separator.length)].map(text));
}

/** A position, in characters as Python counts them. */
function position(given: string, at: number): Value {
  return integer(at < 0 ? -1 : Array.from(given.slice(0, at)).length);
}

/** The part between the positions that some methods take after their text, and where it starts. */
function range(given: string, { given: args }: Arguments): { part: string; start: number } {
  if (args[1] === undefined) return { part: given, start: 0 };
  const [from, to] = [args[1], args[2]].map((one) => (isInteger(one) ? one.value : undefined));
  const characters = Array.from(given);
  const start = characters.slice(0, from ?? 0).join("").length;
  return { part: characters.slice(from ?? 0, to).join(""), start };
}

/** @param fromEnd whether the last one is searched, which takes the product of both lengths */
function search(given: string, args: Arguments, budget: Budget, fromEnd = false): Value {
  const { part, start } = range(given, args);
  const wanted = required(args);
  if (fromEnd) budget.spendCharacters((part.length * wanted.length) / 8);
  const at = fromEnd ? part.lastIndexOf(wanted) : part.indexOf(wanted);
  return position(given, at < 0 ? -1 : start + at);
}

function found(value: Value): Value {
  if (value.value === -1) throw new Error("the text has no such part");
  return value;
}

function padded(given: string, args: Arguments, budget: Budget, isLeft: boolean): Value {
  const width = Number(args.given[0]?.value ?? 0);
  budget.require(width);
  const gap = (args.given[1] ? str(args.given[1]) : " ").repeat(Math.max(0, width - lengthOf(given)));
  return text(isLeft ? given + gap : gap + given);
}

/** With spaces up to the next column that is a multiple of the size. */
function withoutTabs(given: string, size: number, budget: Budget): string {
  let [made, column] = ["", 0];
  for (const one of given) {
    const gap = one === "\t" ? (size > 0 ? size - (column % size) : 0) : 0;
    budget.require(made.length + gap);
    made += one === "\t" ? " ".repeat(gap) : one;
    column = one === "\n" || one === "\r" ? 0 : column + (one === "\t" ? gap : 1);
  }
  return made;
}

export const TEXT_METHODS: ReadonlyMap<string, Method> = new Map<string, Method>(
  Object.entries({
    capitalize: (given) => text(capitalized(given)),
    casefold: (given) => text(given.toLowerCase()),
    center: (given, args, budget) => {
      const width = Number(args.given[0]?.value ?? 0);
      budget.require(width);
      return text(centered(given, width, args.given[1] ? str(args.given[1]) : " "));
    },
    count: (given, args) => {
      const { part } = range(given, args);
      const wanted = required(args);
      return integer(wanted === "" ? Array.from(part).length + 1 : part.split(wanted).length - 1);
    },
    ...TEXT_TESTS,
    endswith: (given, args) => anyOf(args, (one) => range(given, args).part.endsWith(one)),
    expandtabs: (given, args, budget) =>
      text(withoutTabs(given, Number(argument(args, 0, "tabsize")?.value ?? 8), budget)),
    find: search,
    format: (given, args, budget) => text(braceFormat(given, args.given, args.named, budget)),
    format_map: (given, { given: [fields] }, budget) =>
      text(
        braceFormat(given, [], isMapping(fields) ? (fields.value as Map<string, Value>) : new Map(), budget),
      ),
    index: (given, args, budget) => found(search(given, args, budget)),
    join: (given, args, budget) => {
      const parts = elementsOf(args.given[0] ?? list([]));
      budget.require(budget.sizeOf(list(parts)).length + parts.length * given.length);
      return text(parts.map((one) => required({ ...args, given: [one] })).join(given));
    },
    ljust: (given, args, budget) => padded(given, args, budget, true),
    lower: (given) => text(given.toLowerCase()),
    lstrip: (given, args) => text(strip(given, args.given[0], "left")),
    partition: (given, args) => partition(given, args, given.indexOf(required(args))),
    removeprefix: (given, args) =>
      text(given.startsWith(required(args)) ? given.slice(required(args).length) : given),
    removesuffix: (given, args) =>
      text(given.endsWith(required(args)) ? given.slice(0, given.length - required(args).length) : given),
    replace: (given, args, budget) => {
      const count = argument(args, 2, "count");
      return text(
        replaced(given, required(args), required(args, 1), isInteger(count) ? count.value : -1, budget),
      );
    },
    rfind: (given, args, budget) => search(given, args, budget, true),
    rindex: (given, args, budget) => found(search(given, args, budget, true)),
    rjust: (given, args, budget) => padded(given, args, budget, false),
    rpartition: (given, args, budget) => {
      budget.spendCharacters((given.length * required(args).length) / 8);
      const at = given.lastIndexOf(required(args));
      return at < 0 ? tuple(["", "", given].map(text)) : partition(given, args, at);
    },
    rsplit: (given, args) => split(given, args, true),
    rstrip: (given, args) => text(strip(given, args.given[0], "right")),
    split: (given, args) => split(given, args, false),
    splitlines: (given, args) => {
      const keepsEnds = argument(args, 0, "keepends");
      return list(linesOf(given, keepsEnds !== undefined && isTrue(keepsEnds)).map(text));
    },
    startswith: (given, args) => anyOf(args, (one) => range(given, args).part.startsWith(one)),
    strip: (given, args) => text(strip(given, args.given[0])),
    swapcase: (given, _, budget) => {
      budget.spend(given.length);
      const swapped = (one: string): string =>
        one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase();
      return text(Array.from(given, swapped).join(""));
    },
    title: (given, _, budget) => text(titled(given, /\p{L}+/gu, budget)),
    upper: (given) => text(given.toUpperCase()),
    zfill: (given, args, budget) => {
      const width = Number(args.given[0]?.value ?? 0);
      budget.require(width);
      return text(zeroFilled(given, width));
    },
  } satisfies Record<string, Method>),
);
