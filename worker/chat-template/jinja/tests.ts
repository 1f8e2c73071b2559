/** Jinja2's tests: `x is …`. */

import type { Budget } from "./budget.ts";
import { FILTER_NAMES, type Filter } from "./filters/filter.ts";
import { areEqual, compare, isIn } from "./operators.ts";
import { str } from "./text/python-text.ts";
import {
  boolean,
  hasAttributes,
  isBoolean,
  isCallable,
  isFloat,
  isInteger,
  isList,
  isMapping,
  isNone,
  isNumber,
  isText,
  isUndefined,
  UNDEFINED,
  type Value,
} from "./values.ts";

/** @param other the argument of tests that take one */
type Test = (value: Value, other: Value, budget: Budget) => boolean;

const isSized = (value: Value): boolean => isText(value) || isList(value) || isMapping(value);

/** With the sign of the divisor, as in Python. */
function remainder(value: Value, divisor: number): number {
  if (!isNumber(value)) throw new Error(`a ${value.type} cannot be divided`);
  return ((Number(value.value) % divisor) + divisor) % divisor;
}

/** As Python's `islower` and `isupper`: a text in that case with a letter that has both cases. */
const isInCase =
  (inCase: (given: string) => string): Test =>
  (value, _, budget) => {
    if (!isText(value)) return false;
    budget.spendReading(value);
    return value.value === inCase(value.value) && value.value.toLowerCase() !== value.value.toUpperCase();
  };

const comparisons: Record<string, Test> = {
  eq: areEqual,
  ne: (value, other) => !areEqual(value, other),
  gt: (value, other) => compare(value, other) > 0,
  ge: (value, other) => compare(value, other) >= 0,
  lt: (value, other) => compare(value, other) < 0,
  le: (value, other) => compare(value, other) <= 0,
};

const TESTS: ReadonlyMap<string, Test> = new Map<string, Test>(
  Object.entries({
    ...comparisons,
    "==": comparisons.eq!,
    "!=": comparisons.ne!,
    ">": comparisons.gt!,
    ">=": comparisons.ge!,
    "<": comparisons.lt!,
    "<=": comparisons.le!,
    equalto: comparisons.eq!,
    greaterthan: comparisons.gt!,
    lessthan: comparisons.lt!,
    defined: (value) => !isUndefined(value),
    undefined: isUndefined,
    none: isNone,
    boolean: isBoolean,
    true: (value) => isBoolean(value) && value.value,
    false: (value) => isBoolean(value) && !value.value,
    integer: isInteger,
    float: isFloat,
    number: isNumber,
    string: isText,
    mapping: isMapping,
    sequence: (value) => isSized(value) || isUndefined(value),
    iterable: (value) => isSized(value) || isUndefined(value),
    // Jinja2's undefined value has a method for calls, which fails.
    callable: (value) => isCallable(value) || isUndefined(value),
    odd: (value) => remainder(value, 2) === 1,
    even: (value) => remainder(value, 2) === 0,
    divisibleby: (value, other) => remainder(value, Number(other.value)) === 0,
    in: isIn,
    sameas: (value, other) =>
      hasAttributes(value) || isList(value)
        ? value.value === other.value
        : value.type === other.type && areEqual(value, other),
    lower: isInCase((given) => given.toLowerCase()),
    upper: isInCase((given) => given.toUpperCase()),
    escaped: () => false,
    filter: ({ value }) => FILTER_NAMES.has(String(value)),
    test: ({ value }) => TESTS.has(String(value)),
  } satisfies Record<string, Test>),
);

/** @throws {Error} for a name that Jinja2 does not have */
export function testNamed(name: string): Test {
  const test = TESTS.get(name);
  if (!test) throw new Error(`unknown test '${name}'`);
  return test;
}

/** `x is not name y` of a template, where the package's grammar has no place for `y`. */
const testing =
  (expected: boolean): Filter =>
  (value, { given: [name = UNDEFINED, other = UNDEFINED] }, { budget }) => {
    budget.spendDeep(other);
    return boolean(testNamed(str(name))(value, other, budget) === expected);
  };

export const TEST_FILTERS: Record<string, Filter> = { is: testing(true), "is not": testing(false) };
