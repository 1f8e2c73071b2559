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
  if (types.includes("string")) {
    const isOther = types.includes("null") && /^(null|None)$/.test(text.trim());
    if (types.every((one) => one === "string" || one === "null"))
      return isOther ? "null" : JSON.stringify(text);
    // A number may be text as well, but JSON of a list or an object is hardly meant as text (llama.cpp and Ollama agree).
    if (!types.includes("null") && !mayBeContainer(text.trim(), types)) return JSON.stringify(text);
  }
  try {
    JSON.parse(text);
    return text.trim();
  } catch {
    return pythonJson(text.trim(), types) ?? JSON.stringify(text);
  }
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
