/** The published limits of OpenAI's structured outputs, and a limit on schema size. */

import { SchemaProblem } from "./checked-schema.ts";

const MAX_CHARACTERS = 256 * 1024;
const MAX_PROPERTIES = 5000;
const MAX_ENUM_VALUES = 1000;
/** Total of property names, definition names, enum and const values. */
const MAX_NAME_CHARACTERS = 120_000;
/** Enums with more values than this have a limit on their total characters. */
const LARGE_ENUM = 250;
const MAX_LARGE_ENUM_CHARACTERS = 15_000;
/** Nesting of the JSON, before references are resolved; safe for the stack of all browsers. */
const MAX_JSON_LEVELS = 100;

/** @throws {SchemaProblem} */
export function checkLimits(schema: unknown): void {
  const counts = { properties: 0, enumValues: 0, characters: 0 };
  // First, as deep nesting would overflow the stack in JSON.stringify.
  count(schema, counts, 0);
  const text = JSON.stringify(schema) ?? "";
  if (text.length > MAX_CHARACTERS) {
    throw new SchemaProblem(
      [],
      `schema has ${text.length} characters, which exceeds the limit of ${MAX_CHARACTERS}.`,
    );
  }
  if (LONE_SURROGATE.test(text)) throw new SchemaProblem([], "schema holds a lone surrogate.");
  require(counts.properties, MAX_PROPERTIES, "object properties");
  require(counts.enumValues, MAX_ENUM_VALUES, "enum values");
  require(counts.characters, MAX_NAME_CHARACTERS, "characters in names and values");
}

/** JSON.stringify only escapes surrogates without their pair. */
const LONE_SURROGATE = /(?<!\\)(?:\\\\)*\\ud[89a-f][0-9a-f]{2}/;

function require(found: number, limit: number, what: string): void {
  if (found > limit) throw new SchemaProblem([], `${found} ${what} exceed the limit of ${limit}.`);
}

function count(
  value: unknown,
  counts: { properties: number; enumValues: number; characters: number },
  level: number,
): void {
  require(level, MAX_JSON_LEVELS, "levels of JSON");
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === "properties" || key === "$defs" || key === "definitions") countNames(key, inner, counts);
    if (key === "enum" && Array.isArray(inner)) countEnum(inner, counts);
    if (key === "const" && typeof inner === "string") counts.characters += inner.length;
    count(inner, counts, level + 1);
  }
}

function countNames(key: string, value: unknown, counts: { properties: number; characters: number }): void {
  if (typeof value !== "object" || value === null) return;
  const names = Object.keys(value);
  if (key === "properties") counts.properties += names.length;
  counts.characters += names.reduce((sum, name) => sum + name.length, 0);
}

function countEnum(values: readonly unknown[], counts: { enumValues: number; characters: number }): void {
  const characters = values.reduce<number>((sum, one) => sum + (typeof one === "string" ? one.length : 0), 0);
  counts.enumValues += values.length;
  counts.characters += characters;
  if (values.length > LARGE_ENUM)
    require(characters, MAX_LARGE_ENUM_CHARACTERS, "characters in a large enum");
}
