/** JSON as it was sent: objects of JavaScript lose large integers, `1.0` and the order of keys such as `"10"`. */

import { isObject } from "../../src/shared/is-object.ts";

export type Json = null | boolean | string | JsonNumber | Json[] | JsonMembers;
/** The last of duplicate keys counts. */
export type JsonMembers = Map<string, Json>;

export class JsonNumber {
  /** The number as it was written. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export class JsonObject {
  readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  /** @returns undefined for text that is not a JSON object */
  static from(text: string): JsonObject | undefined {
    try {
      return isObject(JSON.parse(text)) ? new JsonObject(text) : undefined;
    } catch {
      return undefined;
    }
  }

  members(): JsonMembers {
    const top: Json[] = [];
    const open: (Json[] | JsonMembers)[] = [top];
    let key = "";
    for (const [token, string, colon] of this.text.matchAll(TOKEN)) {
      if (colon !== undefined) key = JSON.parse(string!) as string;
      else if (token === "]" || token === "}") open.pop();
      else {
        const value = begun(token);
        const parent = open.at(-1)!;
        if (Array.isArray(parent)) parent.push(value);
        else parent.set(key, value);
        if (Array.isArray(value) || value instanceof Map) open.push(value);
      }
    }
    return top[0] as JsonMembers;
  }
}

/** A token of valid JSON: a string (a key if a colon follows), a bracket, a number, `true`, `false` or `null`. */
const TOKEN = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[[\]{}]|[^\s,:[\]{}"]+/g;

/** The value that begins with a token; lists and objects are still empty. */
function begun(token: string): Json {
  if (token === "[") return [];
  if (token === "{") return new Map();
  return /^[-\d]/.test(token) ? new JsonNumber(token) : (JSON.parse(token) as string | boolean | null);
}

/** The value as compact JSON, with numbers as they were written. */
export function jsonText(value: Json): string {
  if (value instanceof JsonNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(jsonText).join(",")}]`;
  if (!(value instanceof Map)) return JSON.stringify(value);
  return `{${[...value].map(([key, one]) => `${JSON.stringify(key)}:${jsonText(one)}`).join(",")}}`;
}
