/** Jinja2's filters that lay values out, and `random`. */

import type { Budget } from "../budget.ts";
import { formatted } from "../text/format-value.ts";
import { str } from "../text/python-text.ts";
import { linesOf } from "../text/strip.ts";
import {
  type Arguments,
  argument,
  elementsOf,
  float,
  isMapping,
  isNone,
  isTrue,
  isUndefined,
  pairsOf,
  text,
  UNDEFINED,
  type Value,
} from "../values.ts";
import { type Filter, numberOf } from "./filter.ts";
import { prettyPrinted } from "./pretty-print.ts";
import { wrapped } from "./wrap.ts";

const NO_ARGUMENTS: Arguments = { given: [], named: new Map() };

const wordwrap: Filter = (value, args, { budget }) => {
  budget.spendUsing(value);
  const form = {
    width: numberOf(argument(args, 0, "width"), 79),
    breaksLongWords: isTrueUnless(argument(args, 1, "break_long_words")),
    breaksAtHyphens: isTrueUnless(argument(args, 3, "break_on_hyphens")),
  };
  const mark = argument(args, 2, "wrapstring");
  const end = mark === undefined || isNone(mark) ? "\n" : str(mark);
  const lines = linesOf(str(value), false).map((line) => wrapped(line, form, budget));
  const count = lines.reduce((sum, one) => sum + one.length, lines.length);
  budget.require(str(value).length + count * end.length);
  return text(lines.map((one) => one.join(end)).join(end));
};

function isTrueUnless(flag: Value | undefined): boolean {
  return flag === undefined || isTrue(flag);
}

const filesizeformat: Filter = (value, args, context) => {
  const bytes = Number(context.apply("float", value, NO_ARGUMENTS).value);
  const binary = argument(args, 0, "binary");
  const [base, mark] = binary !== undefined && isTrue(binary) ? [1024, "iB"] : [1000, "B"];
  if (bytes === 1) return text("1 Byte");
  if (bytes < base) return text(`${Math.trunc(bytes)} Bytes`);
  const letters = `${base === 1024 ? "K" : "k"}MGTPEZY`;
  let power = 1;
  while (power < letters.length && bytes >= base ** (power + 1)) power++;
  return text(`${oneDigit(bytes / base ** power, context.budget)} ${letters[power - 1]}${mark}`);
};

function oneDigit(number: number, budget: Budget): string {
  const form = { type: "f", precision: 1, width: 0, align: ">", fill: " ", sign: "", isAlternate: false };
  return formatted(float(number), form, budget);
}

const xmlattr: Filter = (value, args, context) => {
  if (!isMapping(value)) throw new Error("xmlattr needs a mapping");
  context.budget.spendDeep(value);
  const escaped = (one: Value): string => str(context.apply("escape", one, NO_ARGUMENTS));
  const attributes = pairsOf(value.value)
    .map(elementsOf)
    .filter(([, one]) => !isNone(one) && !isUndefined(one))
    .map(([name, one]) => {
      if (/[\s/>=]/.test(str(name!))) throw new Error("xmlattr needs names of attributes");
      return `${escaped(name!)}="${escaped(one!)}"`;
    })
    .join(" ");
  return text(
    attributes !== "" && isTrueUnless(argument(args, 0, "autospace")) ? ` ${attributes}` : attributes,
  );
};

const random: Filter = (value, _, { budget }) => {
  const elements = elementsOf(value);
  budget.spend(elements.length);
  const [drawn] = crypto.getRandomValues(new Uint32Array(1));
  return elements[drawn! % Math.max(1, elements.length)] ?? UNDEFINED;
};

export const LAYOUT_FILTERS = {
  filesizeformat,
  pprint: (value, _, { budget }) => text(prettyPrinted(value, budget)),
  random,
  wordwrap,
  xmlattr,
} satisfies Record<string, Filter>;
