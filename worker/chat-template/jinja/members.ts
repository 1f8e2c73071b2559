/** Elements, attributes and methods of values, as Python has them, and Jinja2's own globals. */

import type { Budget } from "./budget.ts";
import { changeOf, keyOrThrow, pairOf } from "./changes.ts";
import { TUPLE } from "./grammar.ts";
import { areEqual } from "./operators.ts";
import { TEXT_METHODS } from "./text/text-methods.ts";
import {
  type Arguments,
  argumentsOf,
  callable,
  elementsOf,
  fromKey,
  hasAttributes,
  integer,
  isBoolean,
  isInteger,
  isList,
  isMapping,
  isNone,
  isText,
  isTuple,
  isUndefined,
  list,
  mapping,
  NONE,
  objectOf,
  pairsOf,
  text,
  tuple,
  UNDEFINED,
  type Value,
  valueAt,
} from "./values.ts";

/** `object[key]`, as far as there is one. */
export function elementOf(object: Value, key: Value, budget: Budget): Value | undefined {
  if (hasAttributes(object)) return valueAt(object.value, key);
  if (isText(key)) return object.fields?.get(key.value);
  if (!isInteger(key) && !isBoolean(key)) return undefined;
  const at = Number(key.value);
  if (isList(object)) return object.value.at(at);
  budget.spendReading(object);
  const character = isText(object) ? Array.from(object.value).at(at) : undefined;
  return character === undefined ? undefined : text(character);
}

/**
 * `object[start:stop:step]`; undefined values are left out.
 *
 * @throws {Error} for an object without slices, a bound that is no integer, or a step of 0
 */
export function sliceOf(object: Value, bounds: readonly Value[], budget: Budget): Value {
  budget.spendReading(object);
  if (!isText(object) && !isList(object)) throw new Error(`a ${object.type} has no slices`);
  const [start, stop, given = 1] = bounds.map((one) => {
    if (isUndefined(one) || isNone(one)) return undefined;
    if (!isInteger(one) && !isBoolean(one)) throw new Error(`a slice does not take a ${one.type}`);
    return Number(one.value);
  });
  const all: unknown[] = isText(object) ? Array.from(object.value) : object.value;
  const step = Number(given);
  if (step === 0) throw new Error("slice step cannot be zero");
  const [least, most] = step > 0 ? [0, all.length] : [-1, all.length - 1];
  const bound = (at: number | undefined, otherwise: number): number =>
    at === undefined ? otherwise : Math.min(most, Math.max(least, at < 0 ? at + all.length : at));
  const end = bound(stop, step > 0 ? most : least);
  const kept: unknown[] = [];
  for (let at = bound(start, step > 0 ? least : most); step > 0 ? at < end : at > end; at += step)
    kept.push(all[at]);
  if (isText(object)) return text(kept.join(""));
  return (isTuple(object) ? tuple : list)(kept as Value[]);
}

/** A method of Python's texts, lists and mappings. */
export function methodOf(object: Value, name: string, budget: Budget): Value | undefined {
  const method = (call: (args: Arguments) => Value): Value => callable((args) => call(argumentsOf(args)));
  if (isText(object)) {
    const found = TEXT_METHODS.get(name);
    if (!found) return undefined;
    return method((args) => {
      budget.spendReading(object);
      for (const one of [...args.given, ...args.named.values()]) budget.spendUsing(one);
      return found(object.value, args, budget);
    });
  }
  const change = isTuple(object) || object.fields ? undefined : changeOf(object, name, budget);
  if (change) return method(change);
  if (isList(object)) {
    if (name === "copy" && !isTuple(object)) return method(() => list([...object.value]));
    if (name !== "count" && name !== "index") return undefined;
    return method(({ given: [one = UNDEFINED] }) => {
      budget.spendReading(object);
      if (typeof one.value === "object") budget.spendUsing(object);
      const isSame = (other: Value): boolean => areEqual(one, other);
      if (name === "count") return integer(object.value.filter(isSame).length);
      const at = object.value.findIndex(isSame);
      if (at < 0) throw new Error("the list has no such element");
      return integer(at);
    });
  }
  if (!isMapping(object) || object.fields) return undefined;
  const { value: entries } = object;
  switch (name) {
    case "copy":
      return method(() => mapping(new Map(entries)));
    case "fromkeys":
      return fromKeys(budget);
    case "get":
      return method(({ given: [key, otherwise] }) => valueAt(entries, key) || otherwise || NONE);
    case "items":
      return method(() => list(pairsOf(entries)));
    case "keys":
      return method(() => list([...entries.keys()].map(fromKey)));
    case "values":
      return method(() => list([...entries.values()]));
    default:
      return undefined;
  }
}

/** `dict.fromkeys`. */
function fromKeys(budget: Budget): Value {
  return callable((args) => {
    const [keys = UNDEFINED, value = NONE] = argumentsOf(args).given;
    const elements = elementsOf(keys);
    budget.spend(elements.length);
    return mapping(new Map(elements.map((key) => [keyOrThrow(key), value])));
  });
}

/** Jinja2's own globals, as far as the package lacks them, and the one that refuses a conversation. */
export const jinjaGlobals = (budget: Budget): Readonly<Record<string, Value>> => ({
  cycler: callable((args) => {
    const { given } = argumentsOf(args);
    // All of them, as the current one changes after the mapping was measured.
    const entries = new Map<string, Value>([["items", tuple(given)]]);
    let at = 0;
    const moveTo = (next: number): Value => {
      at = next % Math.max(1, given.length);
      entries.set("current", given[at] ?? UNDEFINED);
      return NONE;
    };
    const next = (): Value => {
      const current = entries.get("current")!;
      moveTo(at + 1);
      return current;
    };
    moveTo(0);
    entries.set("next", callable(next));
    entries.set(
      "reset",
      callable(() => moveTo(0)),
    );
    return objectOf(entries);
  }),
  dict: Object.assign(
    callable((args) => {
      const { given, named } = argumentsOf(args);
      const [source] = given;
      if (source && !isMapping(source)) budget.spendUsing(source);
      const pairs = isMapping(source) ? source.value : (source ? elementsOf(source) : []).map(pairOf);
      return mapping(new Map([...pairs, ...named]));
    }),
    { fields: new Map([["fromkeys", fromKeys(budget)]]) },
  ),
  joiner: callable((args) => {
    const separator = args[0] ?? text(", ");
    let isFirst = true;
    return callable(() => {
      if (!isFirst) return separator;
      isFirst = false;
      return text("");
    });
  }),
  raise_exception: callable(([message = UNDEFINED]) => {
    budget.spendUsing(message);
    throw new Error(String(message.value));
  }),
  [TUPLE]: callable((args) => tuple(args)),
});
