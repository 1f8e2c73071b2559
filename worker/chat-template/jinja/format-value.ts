/** One value in the form that a field of `%` or of `str.format` asks for. */

import type { Budget } from "./budget.ts";
import { lengthOf, repr } from "./python-text.ts";
import { isBoolean, isNumber, type Value } from "./values.ts";

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
  // What `toFixed` takes at most.
  if ((form.precision ?? 0) > 100) throw new Error("a format asks for too many digits");
  const { sign, digits } = signed(value, form);
  const gap = form.fill.repeat(Math.max(0, form.width - lengthOf(sign + digits)));
  switch (form.align) {
    case "<":
      return sign + digits + gap;
    case "^":
      return gap.slice(0, Math.floor(gap.length / 2)) + sign + digits + gap.slice(Math.floor(gap.length / 2));
    case "=":
      return sign + gap + digits;
    default:
      return gap + sign + digits;
  }
}

function signed(value: Value, form: FieldForm): { sign: string; digits: string } {
  if (!isNumber(value)) throw new Error(`%${form.type} needs a number`);
  if (form.type === "c") return { sign: "", digits: String.fromCodePoint(Number(value.value)) };
  const whole = value.digits ?? (isBoolean(value) ? String(Number(value.value)) : repr(value));
  const isNegative = whole.startsWith("-") && !(INTEGERS.has(form.type) && Math.trunc(Number(whole)) === 0);
  const { type, isAlternate, separator, precision } = form;
  const sign = (isNegative ? "-" : form.sign) + (isAlternate ? (PREFIXES[type] ?? "") : "");
  const written = digitsOf(type, whole.replace(/^-/, ""), precision);
  if (!separator) return { sign, digits: written };
  const [before, ...after] = written.split(/(?=[.eE%])/);
  const groups = type in BASES ? /\B(?=(?:\w{4})+$)/g : /\B(?=(?:\d{3})+$)/g;
  return { sign, digits: before!.replace(groups, separator) + after.join("") };
}

/** @param written a number as Python writes it, without its sign */
function digitsOf(type: string, written: string, given: number | undefined): string {
  const precision = given ?? 6;
  const number = Number(written.replace("inf", "Infinity"));
  if (!Number.isFinite(number)) return written;
  const base = BASES[type];
  if (base !== undefined) {
    const made = BigInt(Math.trunc(number)).toString(base);
    return (type === "X" ? made.toUpperCase() : made).padStart(given ?? 0, "0");
  }
  switch (type) {
    case "":
      return given === undefined ? written : withPoint(number, given);
    case "d":
    case "i":
    case "u":
      return (/^\d+$/.test(written) ? written : BigInt(Math.trunc(number)).toString()).padStart(
        given ?? 0,
        "0",
      );
    case "f":
    case "F":
      return fixed(number, precision);
    case "%":
      return `${fixed(number * 100, precision)}%`;
    case "e":
    case "E": {
      const made = exponential(number, precision).replace(/e([+-])(\d)$/, "e$10$2");
      return type === "E" ? made.toUpperCase() : made;
    }
    case "n":
      return /^\d+$/.test(written) ? written : general(number, precision || 1);
    case "g":
    case "G":
      return type === "G" ? general(number, precision || 1).toUpperCase() : general(number, precision || 1);
    default:
      throw new Error(`unknown field %${type} of a format`);
  }
}

/** With so many digits after the point; exact halves become even, as in Python. @param digits 0 to 100 */
export function fixed(number: number, digits: number): string {
  const doubled = number * 2 ** (digits + 1);
  const scaled = number * 10 ** digits;
  const isHalf = Number.isInteger(doubled) && Math.abs(scaled % 1) === 0.5;
  if (number >= 1e21) return `${BigInt(number)}${digits > 0 ? "." : ""}${"0".repeat(digits)}`;
  if (!isHalf) return number.toFixed(digits);
  const below = Math.floor(scaled);
  return ((below % 2 === 0 ? below : below + 1) / 10 ** digits).toFixed(digits);
}

/** As `toExponential`, but exact halves become even. */
function exponential(number: number, digits: number): string {
  const [mantissa, exponent] = number.toExponential(Math.min(100, digits + 40)).split("e") as [
    string,
    string,
  ];
  const [first, ...rest] = mantissa.replace(".", "").slice(0, digits + 1);
  const isHalf = /^50*$/.test(mantissa.replace(".", "").slice(digits + 1));
  if (!isHalf || Number(rest.at(-1) ?? first) % 2 === 1) return number.toExponential(digits);
  return `${first}${digits > 0 ? "." : ""}${rest.join("")}e${exponent}`;
}

/** `%g`: as few digits as necessary, with an exponent below 1e-4 and from so many digits. */
function general(number: number, digits: number, limit = digits): string {
  const [mantissa, exponent] = exponential(number, digits - 1).split("e") as [string, string];
  const power = Number(exponent);
  const short = (text: string): string =>
    text.includes(".") ? text.replace(/0+$/, "").replace(/\.$/, "") : text;
  if (power >= -4 && power < limit) return short(fixed(number, digits - 1 - power));
  return `${short(mantissa)}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
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
