import type { ParameterTypes } from "../call-format.ts";

/**
 * The parameter that a name is written for, which may have white space around it where the parameter has none, or the other
 * way round, or quotes, as Qwen3.6 writes `<parameter="a">` (issue 4487 of OpenVINO's model server).
 */
export function parameterNamed(written: string, types: ParameterTypes): string {
  const word = written.trim();
  const [, , quoted] = /^(["'])(.+)\1$/s.exec(word) ?? [];
  const name = quoted ?? word;
  const names = Object.keys(types);
  const found = [written, word, name].find((one) => names.includes(one));
  return found ?? names.find((one) => one.trim() === name.trim()) ?? name;
}

/** Names of parameters that contain what ends other names, such as `a:b` before a colon. */
export class NamesWithEnd {
  readonly #end: string;
  /** Names and their end, the longest first. */
  readonly #starts: readonly string[];

  constructor(types: ParameterTypes, end: string) {
    this.#end = end;
    this.#starts = Object.keys(types)
      .map((name) => name + end)
      .filter((start) => start.indexOf(end) < start.length - end.length)
      .sort((a, b) => b.length - a.length);
  }

  /** The name that `text` begins with, before its end; empty if there is none, undefined if more text is needed to tell. */
  named(text: string): string | undefined {
    // A longer name may begin with a whole one.
    if (this.#starts.some((start) => start !== text && start.startsWith(text))) return undefined;
    return this.#starts.find((start) => text.startsWith(start))?.slice(0, -this.#end.length) ?? "";
  }
}
