/** Words of Python without quotes: constants, numbers and names. */

const BARE_WORD = /^[A-Za-z_][\w-]*$/;
const NUMBER = /^[-+]?(\d[\d_]*)?(\.\d*)?([eE][-+]?\d+)?$/;

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
  if (constant !== undefined || !NUMBER.test(word)) return constant;
  const digits = word.replaceAll("_", "").replace(/^\+/, "");
  if (!/\d/.test(digits) || !Number.isFinite(Number(digits))) return undefined;
  // As written, since a number of JavaScript has 53 bits.
  return /^-?(0|[1-9]\d*)$/.test(digits) ? digits : String(Number(digits));
}
