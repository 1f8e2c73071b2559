/** Python's operators; `and` and `or` are the package's, which leave out the right side where they can. */

import { compareTexts } from "../../../src/shared/compare-texts.ts";
import type { Budget } from "./budget.ts";
import { percentFormat } from "./text/format.ts";
import { str } from "./text/python-text.ts";
import {
  boolean,
  float,
  integer,
  isBoolean,
  isFloat,
  isInteger,
  isList,
  isMapping,
  isNone,
  isNumber,
  isText,
  isTuple,
  isUndefined,
  type Key,
  list,
  text,
  tuple,
  type Value,
  valueAt,
} from "./values.ts";

/** They compare lists and mappings as deep as they are. */
const DEEP = new Set(["==", "!=", "<", "<=", ">", ">=", "in", "not in"]);

/** @throws {Error} if the operator does not take these operands */
export function operate(operator: string, left: Value, right: Value, budget: Budget): Value {
  budget.spendReading(left);
  if (operator === "%") budget.spendUsing(right);
  else budget.spendReading(right);
  if (DEEP.has(operator) && typeof left.value === "object" && typeof right.value === "object") {
    budget.spendDeep(left);
    budget.spendDeep(right);
  }
  switch (operator) {
    case "==":
      return boolean(areEqual(left, right));
    case "!=":
      return boolean(!areEqual(left, right));
    case "in":
      return boolean(isIn(left, right));
    case "not in":
      return boolean(!isIn(left, right));
    case "<":
      return boolean(compare(left, right) < 0);
    case "<=":
      return boolean(compare(left, right) <= 0);
    case ">":
      return boolean(compare(left, right) > 0);
    case ">=":
      return boolean(compare(left, right) >= 0);
    case "~":
      return joined(left, right, budget);
    default:
      return calculate(operator, left, right, budget);
  }
}

export function areEqual(left: Value, right: Value): boolean {
  if (isUndefined(left) || isUndefined(right)) return isUndefined(left) && isUndefined(right);
  if (isNone(left) || isNone(right)) return isNone(left) && isNone(right);
  if (isNumber(left) && isNumber(right)) return Number(left.value) === Number(right.value);
  if (isList(left) && isList(right)) {
    const others = right.value;
    if (isTuple(left) !== isTuple(right)) return false;
    return left.value.length === others.length && left.value.every((one, at) => areEqual(one, others[at]!));
  }
  if (isMapping(left) && isMapping(right)) {
    const others = right.value;
    const isSame = ([key, one]: [Key, Value]): boolean => {
      const other = others.get(key);
      return other !== undefined && areEqual(one, other);
    };
    return left.value.size === others.size && [...left.value].every(isSame);
  }
  return left.type === right.type && left.value === right.value;
}

/** `one in container`. @throws {Error} for a container that has no members */
export function isIn(one: Value, container: Value): boolean {
  if (isText(container)) {
    if (!isText(one)) throw new Error(`a ${one.type} cannot be in a text`);
    return container.value.includes(one.value);
  }
  if (isList(container)) return container.value.some((other) => areEqual(one, other));
  if (isMapping(container)) return valueAt(container.value, one) !== undefined;
  if (isUndefined(container)) return false;
  throw new Error(`nothing can be in a ${container.type}`);
}

/** Negative, zero or positive. @throws {Error} for values without an order */
export function compare(left: Value, right: Value): number {
  if (isNumber(left) && isNumber(right)) return Number(left.value) - Number(right.value);
  if (isText(left) && isText(right)) return compareTexts(left.value, right.value);
  if (isList(left) && isList(right)) {
    for (const [at, one] of left.value.entries()) {
      const other = right.value[at];
      if (other === undefined) return 1;
      if (!areEqual(one, other)) return compare(one, other);
    }
    return left.value.length - right.value.length;
  }
  throw new Error(`a ${left.type} and a ${right.type} have no order`);
}

function joined(left: Value, right: Value, budget: Budget): Value {
  const made = str(left) + str(right);
  budget.require(made.length);
  return text(made);
}

function calculate(operator: string, left: Value, right: Value, budget: Budget): Value {
  if (isText(left) && operator === "%") return text(percentFormat(left.value, right, budget));
  if (isNumber(left) && isNumber(right)) return calculateNumbers(operator, left, right);
  if (operator === "+") {
    if (isList(left) && isList(right)) {
      budget.require(left.value.length + right.value.length);
      return (isTuple(left) ? tuple : list)(left.value.concat(right.value));
    }
    if (isText(left) && isText(right)) return text(left.value + right.value);
  }
  if (operator === "*") {
    const isCount = (one: Value): one is Value & { value: number | boolean } =>
      isInteger(one) || isBoolean(one);
    const [many, count] = isCount(left) ? [right, left] : [left, right];
    if (isCount(count)) {
      const times = Math.max(0, Number(count.value));
      if (isText(many)) {
        budget.require(many.value.length * times);
        return text(many.value.repeat(times));
      }
      if (isList(many)) {
        budget.require(many.value.length * times);
        const made = Array.from({ length: times }, () => many.value).flat();
        return (isTuple(many) ? tuple : list)(made);
      }
    }
  }
  throw new Error(`'${operator}' does not take a ${left.type} and a ${right.type}`);
}

function calculateNumbers(operator: string, left: Value, right: Value): Value {
  const [a, b] = [Number(left.value), Number(right.value)];
  if (b === 0 && ["/", "//", "%"].includes(operator)) throw new Error("division by zero");
  const made = isFloat(left) || isFloat(right) ? float : integer;
  switch (operator) {
    case "+":
      return made(a + b);
    case "-":
      return made(a - b);
    case "*":
      return made(a * b);
    case "/":
      return float(a / b);
    case "//":
      return made(Math.floor(a / b));
    case "%":
      // Has the sign of the divisor.
      return made(a - b * Math.floor(a / b));
    case "**":
      return (b < 0 ? float : made)(a ** b);
    default:
      throw new Error(`unknown operator '${operator}'`);
  }
}
