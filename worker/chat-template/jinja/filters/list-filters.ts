/** Jinja2's filters of lists. */

import type { Budget } from "../budget.ts";
import { areEqual, compare, operate } from "../operators.ts";
import { testNamed } from "../tests.ts";
import { repr, str } from "../text/python-text.ts";
import {
  type Arguments,
  argument,
  attributeOf,
  elementsOf,
  float,
  generator,
  integer,
  isFloat,
  isNumber,
  isText,
  isTrue,
  list,
  namedTuple,
  text,
  UNDEFINED,
  type Value,
} from "../values.ts";
import type { Filter, FilterContext } from "./filter.ts";

/** The elements that a filter goes through. Each character of a text becomes a value, so that each costs a step. */
function chargedElements(value: Value, budget: Budget): Value[] {
  if (isText(value)) budget.spend(value.value.length);
  return elementsOf(value);
}

// A character has two UTF-16 units at the most.
const first: Filter = (value) =>
  elementsOf(isText(value) ? text(value.value.slice(0, 2)) : value)[0] ?? UNDEFINED;
const last: Filter = (value) =>
  elementsOf(isText(value) ? text(value.value.slice(-2)) : value).at(-1) ?? UNDEFINED;

const join: Filter = (value, args, { budget }) => {
  const separator = str(argument(args, 0, "d") ?? text(""));
  const attribute = argument(args, 1, "attribute");
  const elements = chargedElements(value, budget);
  const { length } = budget.sizeOf(value);
  budget.require(length + elements.length * separator.length);
  return text(elements.map((one) => str(attribute ? attributeOf(one, attribute) : one)).join(separator));
};

const sum: Filter = (value, args, { budget }) => {
  const attribute = argument(args, 0, "attribute");
  const numbers = chargedElements(value, budget).map((one) =>
    attribute ? attributeOf(one, attribute) : one,
  );
  const start = argument(args, 1, "start") ?? integer(0);
  if (!isNumber(start)) return numbers.reduce((total, one) => operate("+", total, one, budget), start);
  for (const one of numbers) if (!isNumber(one)) throw new Error(`sum does not take a ${one.type}`);
  const made = [...numbers, start].some(isFloat) ? float : integer;
  return made(numbers.reduce((total, one) => total + Number(one.value), Number(start.value)));
};

/** The least or, with a sign of -1, the greatest. */
const extreme =
  (sign: 1 | -1): Filter =>
  (value, args, { budget }) => {
    const key = keyOf(
      argument(args, 1, "attribute"),
      isTrue(argument(args, 0, "case_sensitive") ?? UNDEFINED),
    );
    let found: Value | undefined;
    for (const one of chargedElements(value, budget)) {
      budget.spendUsing(key(one));
      if (found === undefined || sign * compare(key(one), key(found)) < 0) found = one;
    }
    return found ?? UNDEFINED;
  };

/** What elements are compared by; texts without their case unless it matters. */
function keyOf(attribute: Value | undefined, isCaseSensitive: boolean): (one: Value) => Value {
  return (one) => inCase(attribute ? attributeOf(one, attribute) : one, isCaseSensitive);
}

const inCase = (key: Value, isCaseSensitive: boolean): Value =>
  isText(key) && !isCaseSensitive ? text(key.value.toLowerCase()) : key;

const unique: Filter = (value, args, { budget }) => {
  const key = keyOf(argument(args, 1, "attribute"), isTrue(argument(args, 0, "case_sensitive") ?? UNDEFINED));
  budget.spendDeep(value);
  const seen = new Set<unknown>();
  const kept = chargedElements(value, budget).filter((one) => {
    const found = key(one);
    const mark = isNumber(found) ? Number(found.value) : repr(found);
    return seen.has(mark) ? false : seen.add(mark);
  });
  return generator(kept);
};

/** As Jinja2's: texts without their case unless it matters. */
const sort: Filter = (value, args, { budget }) => {
  const [reversed, isCaseSensitive] = [argument(args, 0, "reverse"), argument(args, 1, "case_sensitive")].map(
    (flag) => flag !== undefined && isTrue(flag),
  );
  const attributes = argument(args, 2, "attribute");
  const keys = (isText(attributes) ? attributes.value.split(",").map(text) : [attributes]).map((one) =>
    keyOf(one, isCaseSensitive!),
  );
  const key = (one: Value): Value => (keys.length > 1 ? list(keys.map((of) => of(one))) : keys[0]!(one));
  const elements = chargedElements(value, budget);
  budget.spend(keys.length * elements.length);
  const keyed = elements.map((one) => ({ one, key: key(one) }));
  keyed.sort((a, b) => {
    budget.spend(1);
    budget.spendUsing(a.key);
    // Keys without an order, such as undefined ones, may be equal.
    return areEqual(a.key, b.key) ? 0 : compare(a.key, b.key) * (reversed ? -1 : 1);
  });
  return list(keyed.map(({ one }) => one));
};

const reverse: Filter = (value) =>
  isText(value) ? text(Array.from(value.value).reverse().join("")) : list([...elementsOf(value)].reverse());

/** As Jinja2's `map` and `select`: what is not true, `none` too, has no elements. */
const selectedFrom = (value: Value, budget: Budget): Value[] =>
  isTrue(value) ? chargedElements(value, budget) : [];

/** `select` and `reject`, and with an attribute `selectattr` and `rejectattr`. */
const selecting =
  (keeps: boolean, byAttribute: boolean): Filter =>
  (value, { given }, { budget }) => {
    const [attribute, rest] = byAttribute ? [given[0] ?? UNDEFINED, given.slice(1)] : [undefined, given];
    const [name, other = UNDEFINED] = rest;
    const test = name === undefined ? isTrue : testNamed(str(name));
    const passes = (one: Value): boolean =>
      test(attribute ? attributeOf(one, attribute) : one, other, budget);
    const kept = selectedFrom(value, budget).filter((one) => {
      if (typeof other.value === "object" || isText(other)) budget.spendDeep(other);
      return passes(one) === keeps;
    });
    return generator(kept);
  };

const map = (value: Value, args: Arguments, context: FilterContext): Value => {
  const attribute = args.named.get("attribute");
  const otherwise = args.named.get("default");
  const [name, ...given] = args.given;
  return generator(
    selectedFrom(value, context.budget).map((one) => {
      if (name !== undefined) return context.apply(str(name), one, { given, named: args.named });
      if (!attribute) throw new Error("map needs a filter or an attribute");
      const found = attributeOf(one, attribute);
      return found.type === "UndefinedValue" ? (otherwise ?? found) : found;
    }),
  );
};

const batch: Filter = (value, args, { budget }) => {
  const size = Number(argument(args, 0, "linecount")?.value);
  if (!(size >= 1)) throw new Error("batch needs a size of at least 1");
  const filler = argument(args, 1, "fill_with");
  const elements = chargedElements(value, budget);
  const rows: Value[] = [];
  for (let at = 0; at < elements.length; at += size) {
    const row = elements.slice(at, at + size);
    if (filler) {
      budget.require(size);
      budget.spend(size);
      while (row.length < size) row.push(filler);
    }
    rows.push(list(row));
  }
  return generator(rows);
};

const slice: Filter = (value, args, { budget }) => {
  const count = Number(argument(args, 0, "slices")?.value);
  if (!(count >= 1)) throw new Error("slice needs a count of at least 1");
  budget.require(count);
  budget.spend(count);
  const filler = argument(args, 1, "fill_with");
  const elements = chargedElements(value, budget);
  const size = Math.floor(elements.length / count);
  const longer = elements.length % count;
  let at = 0;
  return list(
    Array.from({ length: count }, (_, index) => {
      const row = elements.slice(at, at + size + (index < longer ? 1 : 0));
      at += row.length;
      return list(filler && index >= longer ? [...row, filler] : row);
    }),
  );
};

/** As Jinja2's since 3.1: groups differ in more than case, and are named as their first element. */
const groupby: Filter = (value, args, { budget }) => {
  const attribute = argument(args, 0, "attribute") ?? UNDEFINED;
  const otherwise = argument(args, 1, "default");
  const isCaseSensitive = isTrue(argument(args, 2, "case_sensitive") ?? UNDEFINED);
  const groups: { key: Value; grouper: Value; members: Value[] }[] = [];
  for (const one of chargedElements(value, budget)) {
    const found = attributeOf(one, attribute);
    const grouper = found.type === "UndefinedValue" ? (otherwise ?? found) : found;
    budget.spendUsing(grouper);
    const key = inCase(grouper, isCaseSensitive);
    budget.spend(groups.length);
    const group = groups.find((other) => {
      if (typeof key.value === "object") budget.spendUsing(key);
      return areEqual(key, other.key);
    });
    if (group) group.members.push(one);
    else groups.push({ key, grouper, members: [one] });
  }
  groups.sort((a, b) => compare(a.key, b.key));
  const named = groups.map(({ grouper, members }) =>
    namedTuple([
      ["grouper", grouper],
      ["list", list(members)],
    ]),
  );
  return list(named);
};

export const LIST_FILTERS: Record<string, Filter> = {
  batch,
  first,
  groupby,
  join,
  last,
  list: (value, _, { budget }) => list([...chargedElements(value, budget)]),
  map,
  max: extreme(-1),
  min: extreme(1),
  reject: selecting(false, false),
  rejectattr: selecting(false, true),
  reverse,
  select: selecting(true, false),
  selectattr: selecting(true, true),
  slice,
  sort,
  sum,
  unique,
};
