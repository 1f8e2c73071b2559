/** Python's `%` and `str.format`. */

import type { Budget } from "./budget.ts";
import { repr, str } from "./python-text.ts";
import { isList, isMapping, isNumber, isTuple, type Value } from "./values.ts";

const FIELD =
  /%(?:\((?<key>[^()]*)\))?(?<flags>[-+ #0]{0,5})(?<width>\d{0,12})(?:\.(?<precision>\d{1,12}))?(?<type>[a-zA-Z%])/g;

/** `template % values`. @throws {Error} if fields and values do not match */
export function percentFormat(template: string, values: Value, budget: Budget): string {
  const given = isTuple(values) && isList(values) ? values.value : [values];
  let at = 0;
  let length = template.length;
  return template.replace(FIELD, (...match) => {
    const { key, flags, width, precision, type } = match.at(-1) as Record<string, string | undefined>;
    if (type === "%") return "%";
    const value = key !== undefined && isMapping(values) ? values.value.get(key) : given[at++];
    if (value === undefined) throw new Error("not enough values for the fields of a format");
    length += Number(width || 0) + Number(precision ?? 0);
    budget.require(length);
    const made = padded(converted(type!, value, precision, flags!.includes("+")), Number(width || 0), flags!);
    length += made.length;
    budget.require(length);
    return made;
  });
}

function converted(type: string, value: Value, precision: string | undefined, hasSign: boolean): string {
  if (type === "s") return cut(str(value), precision);
  if (type === "r") return cut(repr(value), precision);
  if (!isNumber(value)) throw new Error(`%${type} needs a number`);
  const number = Number(value.value);
  const sign = hasSign && number >= 0 ? "+" : "";
  return sign + numberText(type, number, precision === undefined ? undefined : Number(precision));
}

function cut(text: string, precision: string | undefined): string {
  return precision === undefined ? text : text.slice(0, Number(precision));
}

function numberText(type: string, number: number, precision = 6): string {
  // What `toFixed` takes at most.
  if (precision > 100) throw new Error("a format asks for too many digits");
  switch (type) {
    case "d":
    case "i":
      return String(Math.trunc(number));
    case "f":
    case "F":
      return fixed(number, precision);
    case "e":
      return number.toExponential(precision).replace(/e([+-])(\d)$/, "e$10$2");
    case "g":
      return general(number, precision || 1);
    case "x":
      return Math.trunc(number).toString(16);
    case "X":
      return Math.trunc(number).toString(16).toUpperCase();
    case "o":
      return Math.trunc(number).toString(8);
    default:
      throw new Error(`unknown field %${type} of a format`);
  }
}

/** With so many digits after the point; exact halves become even, as in Python. @param digits 0 to 100 */
export function fixed(number: number, digits: number): string {
  const doubled = number * 2 ** (digits + 1);
  const scaled = number * 10 ** digits;
  const isHalf = Number.isInteger(doubled) && Math.abs(scaled % 1) === 0.5;
  if (!isHalf) return number.toFixed(digits);
  const below = Math.floor(scaled);
  return ((below % 2 === 0 ? below : below + 1) / 10 ** digits).toFixed(digits);
}

/** `%g`: as few digits as necessary, with an exponent for very large and small numbers. */
function general(number: number, digits: number): string {
  const [mantissa, exponent] = number.toExponential(digits - 1).split("e") as [string, string];
  const power = Number(exponent);
  const short = (text: string): string =>
    text.includes(".") ? text.replace(/0+$/, "").replace(/\.$/, "") : text;
  if (power >= -4 && power < digits) return short(number.toFixed(digits - 1 - power));
  return `${short(mantissa)}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}

function padded(text: string, width: number, flags: string): string {
  if (flags.includes("-")) return text.padEnd(width);
  if (!flags.includes("0")) return text.padStart(width);
  return zeroFilled(text, width);
}

/** Zeros in front, after a sign. */
export function zeroFilled(text: string, width: number): string {
  const sign = /^[+-]/.exec(text)?.[0] ?? "";
  return sign + text.slice(sign.length).padStart(width - sign.length, "0");
}

const BRACES = /\{\{|\}\}|\{(?<name>[\w.]*)(?::(?<spec>[^{}]*))?\}/g;

/** `template.format(...)` with fields by position or name. @throws {Error} for a missing or unsupported field */
export function braceFormat(
  template: string,
  given: readonly Value[],
  named: ReadonlyMap<string, Value>,
  budget: Budget,
): string {
  let at = 0;
  let length = template.length;
  return template.replace(BRACES, (whole, ...match) => {
    if (whole === "{{" || whole === "}}") return whole[0]!;
    const { name = "", spec = "" } = match.at(-1) as { name?: string; spec?: string };
    const value = name === "" ? given[at++] : /^\d+$/.test(name) ? given[Number(name)] : named.get(name);
    if (value === undefined) throw new Error(`no value for the field {${name}} of a format`);
    const made = withSpec(value, spec, budget);
    length += made.length;
    budget.require(length);
    return made;
  });
}

const SPEC =
  /^(?<align>[<>^])?(?<flags>[+0]{0,2})(?<width>\d{0,12})(?<comma>,)?(?:\.(?<precision>\d{1,7}))?(?<type>[a-zA-Z])?$/;

function withSpec(value: Value, spec: string, budget: Budget): string {
  const fields = SPEC.exec(spec)?.groups;
  if (!fields || fields.comma) throw new Error(`the format '${spec.slice(0, 20)}' is not supported`);
  const { align, flags = "", precision } = fields;
  const type = fields.type ?? (isNumber(value) && precision !== undefined ? "g" : "s");
  const text = converted(type, value, precision, flags.includes("+"));
  const width = Number(fields.width || 0);
  budget.require(width);
  if (align === "^") return text.padStart(text.length + Math.floor((width - text.length) / 2)).padEnd(width);
  const isLeft = align ? align === "<" : !isNumber(value);
  return padded(text, width, isLeft ? "-" : flags);
}
