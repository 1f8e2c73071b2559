/** One value in the form that a field of `%` or of `str.format` asks for. */

import type { Budget } from "../budget.ts";
import { isBoolean, isNumber, type Value } from "../values.ts";
import { lengthOf, repr } from "./python-text.ts";

export interface FieldForm {
  type: string;
  precision: number | undefined;
  width: number;
  /** `<`, `>`, `^`, or `=`: after the sign. */
  align: string;
  fill: string;
  /** What a number that is not negative begins with: `+`, a space or nothing. */
  sign: string;
  /** Whether a number with another base has its prefix. */
  isAlternate: boolean;
  /** Between groups of digits. */
  separator?: string | undefined;
}

const PREFIXES: Readonly<Record<string, string>> = { b: "0b", o: "0o", x: "0x", X: "0X" };
const INTEGERS = new Set("diuboxX");
const BASES: Readonly<Record<string, number>> = { b: 2, o: 8, x: 16, X: 16 };

/** @throws {Error} for a value that the type does not take, and for what is too long */
export function formatted(value: Value, form: FieldForm, budget: Budget): string {
  budget.require(form.width + (form.precision ?? 0));
  const { sign, digits } = signed(value, form, budget);
  return aligned(sign, digits, form);
}

/** As wide as the field, which the budget must allow. */
export function aligned(sign: string, body: string, { align, fill, width }: FieldForm): string {
  const gap = Math.max(0, width - lengthOf(sign + body));
  if (align === "=") return sign + fill.repeat(gap) + body;
  const before = align === "<" ? 0 : align === "^" ? Math.floor(gap / 2) : gap;
  return fill.repeat(before) + sign + body + fill.repeat(gap - before);
}

function signed(value: Value, form: FieldForm, budget: Budget): { sign: string; digits: string } {
  if (!isNumber(value)) throw new Error(`%${form.type} needs a number`);
  if (form.type === "c") return { sign: "", digits: String.fromCodePoint(Number(value.value)) };
  const whole = value.digits ?? (isBoolean(value) ? String(Number(value.value)) : repr(value));
  budget.spendCharacters(whole.length + (form.precision ?? 0));
  const isNegative = whole.startsWith("-") && !(INTEGERS.has(form.type) && Math.trunc(Number(whole)) === 0);
  const { type, isAlternate, separator, precision } = form;
  const sign = (isNegative ? "-" : form.sign) + (isAlternate ? (PREFIXES[type] ?? "") : "");
  const written = digitsOf(type, whole.replace(/^-/, ""), precision);
  return { sign, digits: separator ? grouped(written, type in BASES ? 4 : 3, separator) : written };
}

/** With a separator between groups of so many digits in front of the point or the exponent. */
function grouped(written: string, size: number, separator: string): string {
  const end = size === 3 ? written.search(/[.eE%]|$/) : written.length;
  const groups: string[] = [];
  for (let at = end; at > 0; at -= size) groups.push(written.slice(Math.max(0, at - size), at));
  return groups.reverse().join(separator) + written.slice(end);
}

/** @param written a number as Python writes it, without its sign */
function digitsOf(type: string, written: string, given: number | undefined): string {
  const precision = given ?? 6;
  const isWhole = /^\d+$/.test(written);
  const mark = type === "%" ? "%" : "";
  const number = Number(written.replace("inf", "Infinity")) * (mark ? 100 : 1);
  if (!Number.isFinite(number)) {
    const shown = isWhole ? written : Number.isNaN(number) ? "nan" : "inf";
    return (/[EFG]/.test(type) ? shown.toUpperCase() : shown) + mark;
  }
  const base = BASES[type];
  if (base !== undefined) {
    const made = BigInt(isWhole ? written : Math.trunc(number)).toString(base);
    return (type === "X" ? made.toUpperCase() : made).padStart(given ?? 0, "0");
  }
  switch (type) {
    case "":
      return given === undefined ? written : withPoint(number, given);
    case "d":
    case "i":
    case "u":
      return (isWhole ? written : String(BigInt(Math.trunc(number)))).padStart(given ?? 0, "0");
    case "f":
    case "F":
    case "%":
      return fixed(number, precision) + mark;
    case "e":
    case "E": {
      const made = exponential(number, precision);
      return type === "E" ? made.toUpperCase() : made;
    }
    case "n":
      return isWhole ? written : general(number, precision || 1);
    case "g":
    case "G":
      return type === "G" ? general(number, precision || 1).toUpperCase() : general(number, precision || 1);
    default:
      throw new Error(`unknown field %${type} of a format`);
  }
}

/** More digits of a float are zeros: after the point it has 1,074 at most, in all 767. */
const MAX_DIGITS = 1_100;

/** `number * 10 ** places` as an integer; exact halves become even, as in Python. @param number finite, at least 0 */
export function scaled(number: number, places: number): string {
  let whole = number;
  let halvings = 0;
  for (; !Number.isInteger(whole); halvings++) whole *= 2;
  const numerator = BigInt(whole) * 10n ** BigInt(Math.max(0, places));
  const divisor = 2n ** BigInt(halvings) * 10n ** BigInt(Math.max(0, -places));
  const below = numerator / divisor;
  const twice = 2n * (numerator % divisor);
  const isUp = twice > divisor || (twice === divisor && below % 2n === 1n);
  return String(isUp ? below + 1n : below);
}

/** With so many digits after the point. */
function fixed(number: number, digits: number): string {
  const kept = Math.min(digits, MAX_DIGITS);
  const made = scaled(number, kept).padStart(kept + 1, "0");
  const point = made.length - kept;
  return digits > 0 ? `${made.slice(0, point)}.${made.slice(point).padEnd(digits, "0")}` : made;
}

/** The digits of a number, rounded to so many, and its power of ten. */
function rounded(number: number, count: number): [digits: string, power: number] {
  const kept = Math.min(count, MAX_DIGITS);
  // `toExponential` takes 100 at most, enough to know whether rounding makes the power greater.
  const power = Number(number.toExponential(Math.min(kept - 1, 100)).split("e")[1]);
  return [scaled(number, kept - 1 - power).padEnd(count, "0"), power];
}

/** With so many digits after the point of the mantissa. */
function exponential(number: number, digits: number): string {
  const [made, power] = rounded(number, digits + 1);
  const size = String(Math.abs(power)).padStart(2, "0");
  return `${made[0]}${digits > 0 ? "." : ""}${made.slice(1)}e${power < 0 ? "-" : "+"}${size}`;
}

/** `%g`: as few digits as necessary, with an exponent below 1e-4 and from so many digits. */
function general(number: number, digits: number, limit = digits): string {
  const kept = Math.min(digits, MAX_DIGITS);
  const [, power] = rounded(number, kept);
  const isPlain = power >= -4 && power < limit;
  const [mantissa, exponent] = (
    isPlain ? fixed(number, Math.max(0, kept - 1 - power)) : exponential(number, kept - 1)
  ).split("e");
  const short = mantissa!.includes(".") ? mantissa!.replace(/\.?0*$/, "") : mantissa!;
  return isPlain ? short : `${short}e${exponent}`;
}

/** A float without a type, as Python writes it: with a digit after the point. */
function withPoint(number: number, digits: number): string {
  const made = general(number, digits || 1, (digits || 1) - 1);
  return /[.e]/.test(made) ? made : `${made}.0`;
}

/** Zeros in front, after a sign. */
export function zeroFilled(text: string, width: number): string {
  const sign = /^[+-]/.exec(text)?.[0] ?? "";
  return sign + "0".repeat(Math.max(0, width - lengthOf(text))) + text.slice(sign.length);
}
