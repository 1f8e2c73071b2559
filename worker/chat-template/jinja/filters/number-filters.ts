/** Jinja2's filters of numbers. */

import { scaled } from "../text/format-value.ts";
import {
  argument,
  float,
  integer,
  isBoolean,
  isFloat,
  isInteger,
  isNumber,
  isText,
  type Value,
} from "../values.ts";
import { type Filter, numberOf, textOf } from "./filter.ts";

const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
/** In front of digits with a base of their own. */
const PREFIXES: ReadonlyMap<number, string> = new Map([
  [2, "0b"],
  [8, "0o"],
  [16, "0x"],
]);

const toInteger: Filter = (value, args) => {
  if (isInteger(value)) return value;
  if (isNumber(value)) return integer(Math.trunc(Number(value.value)));
  const otherwise = argument(args, 0, "default") ?? integer(0);
  const base = numberOf(argument(args, 1, "base"), 10);
  const digits = digitsOf(value);
  const based = base === 10 ? undefined : withBase(digits.toLowerCase(), base);
  if (based !== undefined) return integer(based);
  return DECIMAL.test(digits) ? integer(Math.trunc(Number(digits))) : otherwise;
};

function digitsOf(value: Value): string {
  return isText(value) ? value.value.trim().replaceAll("_", "") : "";
}

/** Undefined for a text with other characters than digits of the base. */
function withBase(written: string, base: number): number | undefined {
  const [, sign, rest = ""] = /^([+-]?)([0-9a-z]+)$/.exec(written) ?? [];
  const prefix = PREFIXES.get(base);
  const digits = prefix !== undefined && rest.startsWith(prefix) ? rest.slice(prefix.length) : rest;
  const isDigit = (one: string): boolean => Number.parseInt(one, 36) < base;
  if (digits === "" || !Array.from(digits).every(isDigit)) return undefined;
  const made = Number.parseInt(digits, base);
  return sign === "-" ? -made : made;
}

const toFloat: Filter = (value, args) => {
  if (isNumber(value)) return float(Number(value.value));
  const digits = digitsOf(value);
  const special = /^([+-]?)(?:(inf(?:inity)?)|nan)$/i.exec(digits);
  if (special) return float(special[2] ? Number(`${special[1]}Infinity`) : Number.NaN);
  return DECIMAL.test(digits) ? float(Number(digits)) : (argument(args, 0, "default") ?? float(0));
};

/** Floats have fewer digits on both sides of the point. */
const MAX_PRECISION = 400;

const round: Filter = (value, args) => {
  const given = Math.trunc(numberOf(argument(args, 0, "precision"), 0)) || 0;
  const method = textOf(argument(args, 1, "method"), "common");
  const precision = Math.min(MAX_PRECISION, Math.max(-MAX_PRECISION, given));
  const number = Number(value.value);
  if (method !== "common") {
    const factor = 10 ** precision;
    return float((method === "ceil" ? Math.ceil : Math.floor)(number * factor) / factor);
  }
  const isWhole = isInteger(value) || isBoolean(value);
  const make = isWhole ? integer : float;
  if (isWhole && precision >= 0) return integer(number);
  if (!Number.isFinite(number)) return make(number);
  const size = Number(`${scaled(Math.abs(number), precision)}e${-precision}`);
  return make(Math.sign(number) * size);
};

/** By name. */
export const NUMBER_FILTERS = {
  abs: (value) => (isFloat(value) ? float : integer)(Math.abs(Number(value.value))),
  float: toFloat,
  int: toInteger,
  round,
} satisfies Record<string, Filter>;
