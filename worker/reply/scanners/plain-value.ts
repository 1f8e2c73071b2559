import { PythonLiteral } from "./python-literal.ts";

const LITERAL = /^(true|false|null|-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?)$/;

/** The JSON of a number, a word or text without quotes. */
export function plainJson(word: string): string {
  return LITERAL.test(word) ? word : JSON.stringify(word);
}

/**
 * The JSON of a value that is written as plain text.
 *
 * @param all types of the parameter; none if they are unknown
 * @param isText what the model says of it, where the parameter may be text or something else
 */
export function toJson(text: string, all: readonly string[], isText?: boolean): string {
  const others = all.filter((one) => one !== "string");
  if (isText && (all.length === 0 || others.length < all.length)) return JSON.stringify(text);
  const types = isText === false && others.length > 0 ? others : all;
  if (others.length === 0 && all.length > 0) return JSON.stringify(text);
  const trimmed = text.trim();
  const json = isJson(trimmed) ? trimmed : pythonJson(trimmed, types);
  // Where it may be text, too, it is a value only of another of its types (vLLM, llama.cpp and Ollama agree).
  const isValue = json !== undefined && (!types.includes("string") || hasType(json, types));
  return isValue ? json : JSON.stringify(text);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether JSON is a value, other than a text, of one of the types. */
function hasType(json: string, types: readonly string[]): boolean {
  if (/^-?\d/.test(json))
    return types.includes("number") || (types.includes("integer") && /^-?\d+$/.test(json));
  const word = json === "null" ? "null" : "boolean";
  return mayBeContainer(json, types) || (LITERAL.test(json) && types.includes(word));
}

/** Where a value of such a type is no JSON, models write it as Python does: `True`, `None`, `['a']`, `007`. */
function pythonJson(text: string, types: readonly string[]): string | undefined {
  const word = text.toLowerCase();
  if (types.includes("boolean") && (word === "true" || word === "false")) return word;
  if (types.includes("null") && (word === "null" || word === "none")) return "null";
  const isNumber = /^[-+.\d]/.test(text) && (types.includes("number") || types.includes("integer"));
  if (isNumber && types.includes("string")) return undefined;
  if (!mayBeContainer(text, types) && !isNumber) return undefined;
  const literal = new PythonLiteral();
  // A number ends with what follows it.
  const end = literal.push(`${text},`);
  return literal.status === "complete" && end === text.length ? literal.json : undefined;
}

function mayBeContainer(text: string, types: readonly string[]): boolean {
  return (text[0] === "{" && types.includes("object")) || (text[0] === "[" && types.includes("array"));
}
