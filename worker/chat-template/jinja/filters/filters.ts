/** Jinja2's filters of texts; those of lists and numbers have files of their own. */

import type { Budget } from "../budget.ts";
import { GROUP } from "../grammar.ts";
import { methodOf } from "../members.ts";
import { TEST_FILTERS } from "../tests.ts";
import { percentFormat } from "../text/format.ts";
import { json, lengthOf, str } from "../text/python-text.ts";
import { strip } from "../text/strip.ts";
import { capitalized, centered, replaced, titled } from "../text/text-methods.ts";
import {
  type Arguments,
  argument,
  boolean,
  elementsOf,
  generator,
  integer,
  isInteger,
  isList,
  isMapping,
  isNumber,
  isText,
  isTrue,
  isUndefined,
  list,
  mapping,
  pairsOf,
  text,
  tuple,
  UNDEFINED,
  type Value,
} from "../values.ts";
import { FILTER_NAMES, type Filter, numberOf, textOf } from "./filter.ts";
import { LAYOUT_FILTERS } from "./layout-filters.ts";
import { LIST_FILTERS } from "./list-filters.ts";
import { NUMBER_FILTERS } from "./number-filters.ts";

/** A filter of one text. Anything else is written as a text first. */
const ofText =
  (change: (given: string, args: Arguments, budget: Budget) => string): Filter =>
  (value, args, { budget }) =>
    text(change(written(value, budget), args, budget));

function written(value: Value, budget: Budget): string {
  budget.spendUsing(value);
  return str(value);
}

const flagOf = (value: Value | undefined): boolean => value !== undefined && isTrue(value);

/** Without HTML tags and comments. */
function withoutTags(given: string): string {
  let kept = "";
  for (let at = 0; ; ) {
    const open = given.indexOf("<", at);
    const [end, close] = given.startsWith("<!--", open) ? ["-->", 3] : [">", 1];
    const closed = open < 0 ? -1 : given.indexOf(end as string, open);
    if (closed < 0) return kept + given.slice(at);
    kept += given.slice(at, open);
    at = closed + (close as number);
  }
}

const withDefault: Filter = (value, args) => {
  const isMissing = isUndefined(value) || (flagOf(argument(args, 1, "boolean")) && !isTrue(value));
  return isMissing ? (argument(args, 0, "default_value") ?? text("")) : value;
};

const length: Filter = ({ type, value }) => {
  if (typeof value === "string") return integer(lengthOf(value));
  if (Array.isArray(value)) return integer(value.length);
  if (value instanceof Map) return integer(value.size);
  if (value === undefined) return integer(0);
  throw new Error(`a ${type} has no length`);
};

const escapeHtml = ofText((given) =>
  given
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&#34;")
    .replaceAll("'", "&#39;"),
);

const replace: Filter = (value, args, { budget }) => {
  const [old, next] = [textOf(argument(args, 0, "old"), ""), textOf(argument(args, 1, "new"), "")];
  const count = argument(args, 2, "count");
  return text(replaced(written(value, budget), old, next, isInteger(count) ? count.value : -1, budget));
};

const indent = ofText((given, args, budget) => {
  const width = argument(args, 0, "width");
  const gap = isText(width) ? width.value : spaces(numberOf(width, 4), budget);
  const [first, blank] = [argument(args, 1, "first"), argument(args, 2, "blank")].map(flagOf);
  const lines = given.split("\n");
  budget.require(given.length + lines.length * gap.length);
  return lines
    .map((line, at) => ((at === 0 && !first) || (line === "" && !blank && at > 0) ? line : gap + line))
    .join("\n");
});

function spaces(count: number, budget: Budget): string {
  budget.require(count);
  return " ".repeat(Math.max(0, count));
}

const center = ofText((given, args, budget) => {
  const width = numberOf(argument(args, 0, "width"), 80);
  budget.require(width);
  return centered(given, width);
});

const truncate = ofText((given, args) => {
  const [length, killWords, end, leeway] = [
    numberOf(argument(args, 0, "length"), 255),
    flagOf(argument(args, 1, "killwords")),
    textOf(argument(args, 2, "end"), "..."),
    numberOf(argument(args, 3, "leeway"), 5),
  ];
  if (given.length <= length + leeway || lengthOf(given) <= length + leeway) return given;
  const characters = Array.from(given.slice(0, 2 * Math.max(0, length)));
  const kept = characters.slice(0, Math.max(0, length - lengthOf(end))).join("");
  const space = kept.lastIndexOf(" ");
  return (killWords || space < 0 ? kept : kept.slice(0, space)) + end;
});

const title = ofText((given, _, budget) => titled(given, /[^-\s({[<]+/gu, budget));

const toJson: Filter = (value, args, { budget }) => {
  const given = argument(args, 1, "indent");
  const { length, values, depth } = budget.sizeOf(value);
  const gap = isText(given) ? given.value : isNumber(given) ? spaces(Number(given.value), budget) : undefined;
  budget.require(length + values * depth * (gap?.length ?? 0));
  // The order of transformers' filter, which differs from Jinja2's.
  const ensureAscii = argument(args, 0, "ensure_ascii");
  const separators = argument(args, 2, "separators");
  const sortKeys = argument(args, 3, "sort_keys");
  return text(
    json(value, {
      indent: gap,
      ...(isList(separators) ? { separators: separators.value.map(str) as [string, string] } : {}),
      sortKeys: flagOf(sortKeys),
      ensureAscii: flagOf(ensureAscii),
    }),
  );
};

/** `value.name`, but not `value['name']`. */
function attribute(value: Value, name: Value, budget: Budget): Value {
  if (!isText(name)) return UNDEFINED;
  const own = value.type === "NamespaceValue" ? (value.value as Map<string, Value>) : value.fields;
  return own?.get(name.value) ?? methodOf(value, name.value, budget) ?? UNDEFINED;
}

const items: Filter = (value) => {
  if (!isMapping(value) && !isUndefined(value)) throw new Error("items needs a mapping");
  return generator(isMapping(value) ? pairsOf(value.value) : []);
};

const dictsort: Filter = (value, args, context) => {
  const by = textOf(argument(args, 1, "by"), "key") === "value" ? 1 : 0;
  const named = new Map([...args.named].filter(([name]) => name !== "by"));
  named.set("attribute", integer(by));
  const flag = (at: number, name: string): Value => argument(args, at, name) ?? boolean(false);
  const given = [flag(2, "reverse"), flag(0, "case_sensitive")];
  return context.apply("sort", list(elementsOf(items(value, args, context))), { given, named });
};

function percentEncoded(given: string): string {
  const hex = (one: string): string => `%${one.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(given).replace(/[!'()*]/g, hex);
}

/** By name. */
export const FILTERS: ReadonlyMap<string, Filter> = new Map<string, Filter>(
  Object.entries({
    ...LAYOUT_FILTERS,
    ...LIST_FILTERS,
    ...NUMBER_FILTERS,
    ...TEST_FILTERS,
    attr: (value, args, { budget }) => attribute(value, argument(args, 0, "name") ?? UNDEFINED, budget),
    capitalize: ofText(capitalized),
    center,
    count: length,
    d: withDefault,
    default: withDefault,
    dictsort,
    e: escapeHtml,
    escape: escapeHtml,
    forceescape: escapeHtml,
    format: (value, { given, named }, { budget }) => {
      const values = named.size > 0 ? mapping(new Map(named)) : tuple(given);
      return text(percentFormat(str(value), values, budget));
    },
    indent,
    items,
    length,
    [GROUP]: (value) => value,
    lower: ofText((given) => given.toLowerCase()),
    replace,
    safe: (value) => value,
    string: (value) => text(str(value)),
    striptags: ofText((given) => withoutTags(given).split(/\s+/).filter(Boolean).join(" ")),
    title,
    tojson: toJson,
    trim: ofText((given, args) => strip(given, argument(args, 0, "chars"))),
    truncate,
    upper: ofText((given) => given.toUpperCase()),
    urlencode: (value, _, { budget }) => {
      if (!isMapping(value)) return text(percentEncoded(written(value, budget)).replaceAll("%2F", "/"));
      budget.spendUsing(value);
      const inQuery = (one: Value): string => percentEncoded(str(one)).replaceAll("%20", "+");
      return text(
        pairsOf(value.value)
          .map((pair) => elementsOf(pair).map(inQuery).join("="))
          .join("&"),
      );
    },
    wordcount: (value, _, { budget }) =>
      integer(written(value, budget).match(/[\p{L}\p{N}_]+/gu)?.length ?? 0),
  } satisfies Record<string, Filter>),
);

for (const name of FILTERS.keys()) FILTER_NAMES.add(name);
