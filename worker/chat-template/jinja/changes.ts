/** Methods of Python that change a list or a mapping: Jinja2 and llama.cpp have them, transformers' sandbox refuses them. */

import type { Budget } from "./budget.ts";
import {
  type Arguments,
  elementsOf,
  isInteger,
  isList,
  isMapping,
  type Key,
  keyIn,
  keyOf,
  NONE,
  UNDEFINED,
  type Value,
} from "./values.ts";

type Change<T> = (object: T, args: Arguments, budget: Budget) => Value;

const LIST_CHANGES = new Map<string, Change<Value[]>>([
  ["append", (all, { given: [one = UNDEFINED] }, budget) => add(all, [one], budget)],
  ["extend", (all, { given: [more = UNDEFINED] }, budget) => add(all, [...elementsOf(more)], budget)],
  [
    "insert",
    (all, { given: [at, one = UNDEFINED] }, budget) => {
      budget.require(all.length + 1);
      all.splice(indexOf(at, all.length), 0, outside(all, one));
      return NONE;
    },
  ],
  [
    "pop",
    (all, { given: [at] }) => {
      const index = indexOf(at, all.length - 1);
      const one = all.at(index);
      if (!one) throw new Error("pop() finds no such element in the list");
      all.splice(index, 1);
      return one;
    },
  ],
]);

const MAPPING_CHANGES = new Map<string, Change<Map<Key, Value>>>([
  [
    "pop",
    (entries, { given: [key, otherwise] }) => {
      const known = keyIn(entries, keyOrThrow(key));
      const value = entries.get(known) ?? otherwise;
      if (!value) throw new Error(`pop() finds no ${JSON.stringify(known)} in the mapping`);
      entries.delete(known);
      return value;
    },
  ],
  [
    "setdefault",
    (entries, { given: [key, value = NONE] }) => {
      const known = keyIn(entries, keyOrThrow(key));
      if (!entries.has(known)) entries.set(known, outside(entries, value));
      return entries.get(known)!;
    },
  ],
  [
    "update",
    (entries, { given: [source], named }) => {
      const pairs = isMapping(source) ? source.value : source ? elementsOf(source).map(pairOf) : [];
      for (const [key, value] of [...pairs, ...named])
        entries.set(keyIn(entries, key), outside(entries, value));
      return NONE;
    },
  ],
]);

/** Undefined if the object has no such method. */
export function changeOf(
  object: Value,
  name: string,
  budget: Budget,
): ((args: Arguments) => Value) | undefined {
  if (isList(object)) return changing(object, LIST_CHANGES.get(name), budget);
  return isMapping(object) ? changing(object, MAPPING_CHANGES.get(name), budget) : undefined;
}

function changing<T>(
  object: Value & { value: T },
  change: Change<T> | undefined,
  budget: Budget,
): ((args: Arguments) => Value) | undefined {
  if (!change) return undefined;
  return (args) => {
    budget.spendReading(object);
    for (const one of [...args.given, ...args.named.values()]) budget.spendUsing(one);
    budget.forget();
    return change(object.value, args, budget);
  };
}

function add(all: Value[], more: readonly Value[], budget: Budget): Value {
  budget.spend(more.length);
  budget.require(all.length + more.length);
  for (const one of more) all.push(outside(all, one));
  return NONE;
}

function indexOf(at: Value | undefined, otherwise: number): number {
  return isInteger(at) ? at.value : otherwise;
}

/** A value that a list or a mapping gets. @throws {Error} if it has that within it: such a value has no end */
function outside(all: object, one: Value): Value {
  if (holds(one, all)) throw new Error("a list or a mapping cannot be within itself");
  return one;
}

/** Whether a value is a list or a mapping, or has it within it. */
function holds({ type, value }: Value, all: object): boolean {
  if (value === all) return true;
  const isMap = value instanceof Map && type !== "NamespaceValue";
  const children: Value[] = Array.isArray(value) ? value : isMap ? [...value.values()] : [];
  return children.some((child) => holds(child, all));
}

/** A key and a value, as `dict()` and `update()` take them. */
export function pairOf(pair: Value): [Key, Value] {
  const [one, value] = elementsOf(pair);
  if (!value) throw new Error("a mapping takes pairs of a key and a value");
  return [keyOrThrow(one), value];
}

export function keyOrThrow(value: Value | undefined): Key {
  const key = keyOf(value);
  if (key === undefined) throw new Error("a list or a mapping is no key of a mapping");
  return key;
}
