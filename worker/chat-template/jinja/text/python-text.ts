/** How Python writes values: `str`, `repr` and `json.dumps`. */

import { compareTexts } from "../../../../src/shared/compare-texts.ts";
import { fromKey, isList, isMapping, isTuple, type Key, type Value } from "../values.ts";

/** `str(value)`; nothing for an undefined value. */
export function str(value: Value): string {
  if (value.type === "StringValue") return String(value.value);
  return value.type === "UndefinedValue" ? "" : repr(value);
}

/** In characters as Python counts them: a pair of surrogates is one. */
export function lengthOf(given: string): number {
  return given.length - (given.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

/** `repr(value)`. */
export function repr(value: Value): string {
  if (isTuple(value) && isList(value)) {
    const parts = value.value.map(repr);
    return parts.length === 1 ? `(${parts[0]},)` : `(${parts.join(", ")})`;
  }
  if (isList(value)) return `[${value.value.map(repr).join(", ")}]`;
  if (isMapping(value))
    return `{${[...value.value].map(([key, one]) => `${repr(fromKey(key))}: ${repr(one)}`).join(", ")}}`;
  switch (value.type) {
    case "StringValue":
      return quoted(String(value.value));
    case "BooleanValue":
      return value.value ? "True" : "False";
    case "NullValue":
      return "None";
    case "UndefinedValue":
      return "Undefined";
    case "FloatValue":
      return floatText(value.value as number);
    default:
      return numberText(value);
  }
}

function numberText({ type, value, digits }: Value): string {
  if (type !== "IntegerValue") return `<${type}>`;
  if (digits !== undefined) return digits;
  const number = value as number;
  return Number.isSafeInteger(number) || !Number.isFinite(number)
    ? String(number)
    : BigInt(number).toString();
}

/** A float always has a point or an exponent; the latter from 1e16 up and below 1e-4. */
function floatText(number: number): string {
  if (Number.isNaN(number)) return "nan";
  if (!Number.isFinite(number)) return number > 0 ? "inf" : "-inf";
  const [digits, exponent] = number.toExponential().split("e") as [string, string];
  const power = Number(exponent);
  if (power < -4 || power >= 16) {
    const size = String(Math.abs(power)).padStart(2, "0");
    return `${digits}e${power < 0 ? "-" : "+"}${size}`;
  }
  const plain = String(number);
  if (plain.includes(".")) return plain;
  return Object.is(number, -0) ? "-0.0" : `${plain}.0`;
}

const ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\" };

/** A string in single quotes, or in double ones if it has single ones only. */
function quoted(value: string): string {
  const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
  // What Python does not print; a space it does.
  const escaped = value.replace(/[\\\n\r\t]|(?! )[\p{C}\p{Z}]/gu, (one) => ESCAPES[one] ?? hex(one));
  return quote + (quote === "'" ? escaped.replaceAll("'", "\\'") : escaped) + quote;
}

function hex(character: string): string {
  const code = character.codePointAt(0)!;
  const [mark, length] = code <= 0xff ? ["x", 2] : code <= 0xffff ? ["u", 4] : ["U", 8];
  return `\\${mark}${code.toString(16).padStart(length as number, "0")}`;
}

interface JsonStyle {
  indent?: string | undefined;
  separators?: readonly [item: string, key: string] | undefined;
  ensureAscii?: boolean;
  sortKeys?: boolean;
}

/** `json.dumps(value)`. @throws {Error} for what JSON does not have */
export function json(value: Value, style: JsonStyle = {}, depth = 0): string {
  const { indent, ensureAscii = false, sortKeys = false } = style;
  const [comma, colon] = style.separators ?? [indent === undefined ? ", " : ",", ": "];
  const string = (content: string): string => {
    const made = JSON.stringify(content);
    return ensureAscii ? made.replace(/[\u0080-\uffff]/g, escaped) : made;
  };
  const around = (open: string, parts: readonly string[], close: string): string => {
    if (indent === undefined || parts.length === 0) return open + parts.join(comma) + close;
    const gap = `\n${indent.repeat(depth)}`;
    return open + parts.map((part) => gap + indent + part).join(comma) + gap + close;
  };
  if (isList(value)) {
    const parts = value.value.map((one) => json(one, style, depth + 1));
    return around("[", parts, "]");
  }
  if (isMapping(value)) {
    const entries = [...value.value];
    if (sortKeys) entries.sort(([a], [b]) => compareKeys(a, b));
    return around(
      "{",
      entries.map(([key, one]) => string(String(key)) + colon + json(one, style, depth + 1)),
      "}",
    );
  }
  switch (value.type) {
    case "StringValue":
      return string(String(value.value));
    case "BooleanValue":
      return String(value.value);
    case "IntegerValue":
      return repr(value);
    case "FloatValue":
      // `Infinity` and `NaN`, where `repr` has `inf` and `nan`.
      return Number.isFinite(value.value) ? repr(value) : String(value.value);
    case "NullValue":
    // Jinja2 refuses it; a message without a field is more often a mistake of the template than of the client.
    case "UndefinedValue":
      return "null";
    default:
      throw new Error(`a ${value.type} cannot be written as JSON`);
  }
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** @throws {Error} for keys that have no order in Python */
function compareKeys(left: Key, right: Key): number {
  if (typeof left === "string" && typeof right === "string") return compareTexts(left, right);
  if ([left, right].some((key) => key === null || typeof key === "string"))
    throw new Error("keys of several types have no order");
  return Number(left) - Number(right);
}
