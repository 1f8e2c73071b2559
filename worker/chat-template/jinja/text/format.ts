/** Python's `%` and `str.format`. */

import type { Budget } from "../budget.ts";
import {
  attributeOf,
  isBoolean,
  isInteger,
  isList,
  isMapping,
  isNumber,
  isText,
  isTuple,
  text,
  type Value,
} from "../values.ts";
import { aligned, type FieldForm, formatted } from "./format-value.ts";
import { repr, str } from "./python-text.ts";

const FIELD =
  /%(?:\((?<key>[^()]*)\))?(?<flags>[-+ #0]{0,5})(?<width>\d{0,12})(?:\.(?<precision>\d{1,12}))?(?<type>[a-zA-Z%])/g;

/** `template % values`. @throws {Error} if fields and values do not match */
export function percentFormat(template: string, values: Value, budget: Budget): string {
  const given = isTuple(values) && isList(values) ? values.value : [values];
  let at = 0;
  let length = template.length;
  return template.replace(FIELD, (...match) => {
    const { key, flags = "", width, precision, type } = match.at(-1) as Record<string, string | undefined>;
    if (type === "%") return "%";
    const value = key !== undefined && isMapping(values) ? values.value.get(key) : given[at++];
    if (value === undefined) throw new Error("not enough values for the fields of a format");
    length += Number(width || 0) + Number(precision ?? 0);
    budget.require(length);
    const isZero = flags.includes("0") && !"csra".includes(type!);
    const form: FieldForm = {
      type: type!,
      precision: precision === undefined ? undefined : Number(precision),
      width: Number(width || 0),
      align: flags.includes("-") ? "<" : isZero ? "=" : ">",
      fill: isZero && !flags.includes("-") ? "0" : " ",
      sign: flags.includes("+") ? "+" : flags.includes(" ") ? " " : "",
      isAlternate: flags.includes("#"),
    };
    const made = ofField(value, form, budget);
    length += made.length;
    budget.require(length);
    return made;
  });
}

function ofField(value: Value, form: FieldForm, budget: Budget): string {
  const { type, precision } = form;
  const asText = { s: str, r: repr, a: ascii }[type] ?? (type === "c" && isText(value) ? str : undefined);
  if (!asText) return formatted(value, form, budget);
  const made = asText(value);
  budget.require(form.width);
  return aligned("", precision === undefined ? made : Array.from(made).slice(0, precision).join(""), form);
}

function ascii(value: Value): string {
  return repr(value).replace(/[\u0080-\u{10ffff}]/gu, (one) => {
    const code = one.codePointAt(0)!;
    const [mark, length] = code <= 0xff ? ["x", 2] : code <= 0xffff ? ["u", 4] : ["U", 8];
    return `\\${mark}${code.toString(16).padStart(length as number, "0")}`;
  });
}

const BRACES =
  /\{\{|\}\}|\{(?<path>[^{}!:]*)(?:!(?<conversion>[rsa]))?(?::(?<spec>(?:[^{}]|\{\w*\})*))?\}|[{}]/g;

/** `template.format(...)` with fields by position or name. @throws {Error} for a missing or unsupported field */
export function braceFormat(
  template: string,
  given: readonly Value[],
  named: ReadonlyMap<string, Value>,
  budget: Budget,
): string {
  let at = 0;
  let length = template.length;
  const fieldOf = (path: string): Value => {
    const [name = "", ...rest] = path.split(/[.[]/);
    const first = name === "" ? given[at++] : /^\d+$/.test(name) ? given[Number(name)] : named.get(name);
    if (first === undefined) throw new Error(`no value for the field {${path.slice(0, 20)}} of a format`);
    return rest.reduce((value, part) => attributeOf(value, text(part.replace(/\]$/, ""))), first);
  };
  return template.replace(BRACES, (whole, ...match) => {
    if (whole === "{{" || whole === "}}") return whole[0]!;
    const { path, conversion, spec = "" } = match.at(-1) as Record<string, string | undefined>;
    if (path === undefined) throw new Error(`single '${whole}' in a format`);
    const value = fieldOf(path);
    const form = spec.replace(/\{(\w*)\}/g, (_, name: string) => str(fieldOf(name)));
    const shown = { r: repr, a: ascii, s: str }[conversion ?? ""];
    const made = withSpec(shown ? text(shown(value)) : value, form, budget);
    length += made.length;
    budget.require(length);
    return made;
  });
}

const SPEC =
  /^(?:(?<fill>[\s\S])?(?<align>[<>^=]))?(?<sign>[-+ ])?(?<alternate>#)?(?<zero>0)?(?<width>\d{0,12})(?<separator>[,_])?(?:\.(?<precision>\d{1,7}))?(?<type>[a-zA-Z%])?$/u;

function withSpec(value: Value, spec: string, budget: Budget): string {
  if (spec === "") return str(value);
  const fields = SPEC.exec(spec)?.groups;
  if (!fields) throw new Error(`the format '${spec.slice(0, 20)}' is not supported`);
  const { fill, align, sign, zero, separator } = fields;
  const precision = fields.precision === undefined ? undefined : Number(fields.precision);
  const isCounted = isNumber(value) && fields.type !== "s";
  const form: FieldForm = {
    type: fields.type ?? (isInteger(value) || isBoolean(value) ? "d" : ""),
    precision,
    width: Number(fields.width || 0),
    align: align ?? (isCounted ? (zero ? "=" : ">") : "<"),
    fill: fill ?? (zero ? "0" : " "),
    sign: sign === "+" || sign === " " ? sign : "",
    isAlternate: fields.alternate !== undefined,
    separator,
  };
  if (!isCounted && fields.type !== undefined && fields.type !== "s")
    throw new Error(`the format '${spec.slice(0, 20)}' needs a number`);
  if (!isCounted) return ofField(value, { ...form, type: "s" }, budget);
  return formatted(value, form, budget);
}
