/** Words of Python without quotes: constants, numbers and names. */

const BARE_WORD = /^[A-Za-z_][\w-]*$/;
const OTHER_BASE = /^([-+]?)(0(?:[xX][\da-fA-F_]+|[oO][0-7_]+|[bB][01_]+))$/;
const NUMBER = /^[-+]?(\d[\d_]*)?(\.\d*)?([eE][-+]?\d+)?$/;
const JSON_INTEGER = /^-?(0|[1-9]\d*)$/;
const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/;

/** Python's constants, and JSON's, in JSON. */
export const CONSTANTS: ReadonlyMap<string, string> = new Map([
  ["True", "true"],
  ["False", "false"],
  ["None", "null"],
  ["true", "true"],
  ["false", "false"],
  ["null", "null"],
]);

/** Whether a text can be the name of a keyword argument in Python. */
export function isWord(text: string): boolean {
  return BARE_WORD.test(text);
}

/** The JSON of a number or a constant. */
export function wordJson(word: string): string | undefined {
  const constant = CONSTANTS.get(word);
  const [, sign, based] = OTHER_BASE.exec(word) ?? [];
  if (based) return basedJson(based.replaceAll("_", ""), sign === "-");
  if (constant !== undefined || !NUMBER.test(word)) return constant;
  const digits = word.replaceAll("_", "").replace(/^\+/, "");
  const json = /\d/.test(digits) ? finiteJson(Number(digits)) : undefined;
  // As written, since a number of JavaScript has 53 bits, and a range.
  return (json === undefined ? JSON_NUMBER : JSON_INTEGER).test(digits) ? digits : json;
}

/** With all digits, as of decimal numbers. */
function basedJson(digits: string, isNegative: boolean): string | undefined {
  if (!Number.isFinite(Number(digits))) return undefined;
  return String(isNegative ? -BigInt(digits) : BigInt(digits));
}

function finiteJson(number: number): string | undefined {
  return Number.isFinite(number) ? JSON.stringify(number) : undefined;
}
