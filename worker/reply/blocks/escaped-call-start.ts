import { LONGEST_NAME } from "../call-format.ts";

const NAME = new RegExp(`^:?call:(?:[\\w.-]{1,64}:){0,8}([\\w.-]{1,${LONGEST_NAME}})([{(])`);
const PARTIAL_NAME = new RegExp(`^:?(c(a(l(l(:([\\w.-]{1,64}:){0,8}[\\w.-]{0,${LONGEST_NAME}})?)?)?)?)?$`);

/** The beginning of a call: its name, and how many characters it has with the bracket at its end. */
interface CallStart {
  name: string;
  length: number;
  bracket: string;
}

/**
 * Reads `call:f{` or, followed by an argument with a key or by the end, `call:f(`.
 *
 * @param quote the token on both sides of a text
 * @returns "wait" if more text is needed, "leave" if `text` is no call
 */
export function callStart(text: string, quote: string): CallStart | "wait" | "leave" {
  const match = NAME.exec(text);
  if (!match) return PARTIAL_NAME.test(text) ? "wait" : "leave";
  const [{ length }, name, bracket] = match as unknown as [string, string, string];
  const hasKey = bracket === "{" || beginsKey(text.slice(length), quote);
  if (hasKey === undefined) return "wait";
  return hasKey ? { name, length, bracket } : "leave";
}

/** Whether `text` begins with a key, or with the parenthesis at the end; undefined if more text is needed to tell. */
function beginsKey(text: string, quote: string): boolean | undefined {
  const written = /^[^:=,()]{0,256}/.exec(text)![0];
  const next = text[written.length];
  if (next === undefined) return undefined;
  const key = written.replaceAll(quote, "").trim();
  return next === ")" ? key === "" : ":=".includes(next) && /^("?)[^"']+\1$/.test(key);
}
