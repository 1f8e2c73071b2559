/** Variables of a template that may turn thinking on and off, by their names. */

export interface VariableSwitch {
  name: string;
  on: boolean | number | string;
  off: boolean | number | string;
}

/** Most common first. Seed-OSS's is a number of tokens; -1 is without a limit. */
export const VARIABLES: readonly VariableSwitch[] = [
  { name: "enable_thinking", on: true, off: false },
  { name: "thinking", on: true, off: false },
  { name: "thinking_budget", on: -1, off: 0 },
  // MiniMax M3.
  { name: "thinking_mode", on: "enabled", off: "disabled" },
  // GigaChat 3.5.
  { name: "reasoning", on: true, off: false },
];

/** Without another one in it, so that the search takes the template's length only. */
const TAG = /\{[{%]((?:(?!\{[{%])[\s\S])*?)[}%]\}/g;
const STRING = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g;
/** No member of an object, and no function. */
const NAME = /(?<![\w.])(?=\w*(?:think|reason))[a-z]\w*\b(?!\s*\()/g;
/** Variables with other values than true and false. */
const OTHER = /effort|budget|strength|level|mode|content/;
const NEGATIVE = /^(no|not|skip|disable|without|suppress)_|^no(think|reason)|_(off|disabled)$/;
/** Each is tried with both values. */
const MAX_NAMES = 6;

/** Those that a template itself names: true turns thinking on, or off if the name says so. */
export function otherVariables(template: string): VariableSwitch[] {
  const code = Array.from(template.matchAll(TAG), ([, tag]) => tag!.replace(STRING, "''")).join("\n");
  const names = new Set(Array.from(code.matchAll(NAME), ([name]) => name));
  const others = [...names].filter(
    (name) => !OTHER.test(name) && VARIABLES.every((known) => known.name !== name),
  );
  return others.slice(0, MAX_NAMES).map((name) => {
    const on = !NEGATIVE.test(name);
    return { name, on, off: !on };
  });
}
