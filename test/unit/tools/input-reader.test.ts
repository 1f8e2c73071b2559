/** Inputs of custom tools, read from arguments in pieces of any length. */

import { expect, test } from "vitest";
import { InputReader } from "../../../worker/tools/custom/input-reader.ts";
import { fc } from "../../support/random.ts";

/** What the pieces of the arguments add to the input, and whether it is whole. */
function read(text: string, length: number): { added: string[]; isWhole: boolean } {
  const reader = new InputReader();
  const pieces = text.match(new RegExp(`[^]{1,${length}}`, "g")) ?? [];
  return { added: pieces.map((piece) => reader.push(piece)), isWhole: reader.end() };
}

const anyText = fc.string({ unit: "grapheme", maxLength: 12 });
const lengths = fc.integer({ min: 1, max: 9 });
/** JSON of a text, with escapes that a model may choose. */
const written = (text: string, style: number): string => {
  const json = JSON.stringify({ input: text });
  if (style === 0) return json;
  const asCode = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return json.replace(/[^\0-\x7f]/g, asCode).replace(":", style === 1 ? " : " : ":");
};

test("any text is read from its JSON, and no piece has half a character", () => {
  fc.assert(
    fc.property(anyText, lengths, fc.nat(2), (text, length, style) => {
      const { added, isWhole } = read(written(text, style), length);
      expect([added.join(""), isWhole]).toEqual([text, true]);
      expect(added.filter((piece) => /\p{Surrogate}/u.test(piece))).toEqual([]);
    }),
  );
});

test("the beginning of a JSON gives the beginning of its text, which is whole only with its quote", () => {
  fc.assert(
    fc.property(anyText, lengths, fc.nat(2), fc.nat(60), (text, length, style, cut) => {
      const json = written(text, style);
      const { added, isWhole } = read(json.slice(0, cut), length);
      expect(text.startsWith(added.join(""))).toBe(true);
      expect(isWhole).toBe(cut >= json.length - 1);
    }),
  );
});

test("other arguments are the input as they are", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 2 }), lengths, (json, length) => {
      fc.pre(!/^\s*\{\s*(\}|"input"\s*:\s*")/.test(json));
      const { added, isWhole } = read(json, length);
      expect([added.join(""), isWhole]).toEqual([json, true]);
    }),
  );
});

test("other arguments that are cut are not whole", () => {
  const objects = fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue({ maxDepth: 1 }), { minKeys: 1 });
  fc.assert(
    fc.property(objects, lengths, fc.nat(80), (object, length, cut) => {
      fc.pre(!("input" in object));
      const json = JSON.stringify(object);
      const begun = json.slice(0, Math.min(cut, json.length - 1));
      const { added, isWhole } = read(begun, length);
      expect(isWhole).toBe(false);
      expect(begun.startsWith(added.join(""))).toBe(true);
    }),
  );
});

test.each([
  ["a backslash that escapes nothing", '{"input": "C:\\x"}', "C:\\x", true],
  ["an unfinished code", '{"input": "\\u12', "", false],
  ["a code that is none", '{"input": "\\u12xy"}', "\\u12xy", true],
  ["half a character", '{"input": "\\ud83dx"}', "\ud83dx", true],
  ["much white space", `${" ".repeat(300)}{"input": "a"}`, `${" ".repeat(300)}{"input": "a"}`, true],
  ["an empty object", " { }", "", true],
  ["a brace", "{", "", false],
  ["no text yet", '{"input": ', "", false],
  ["another member that is cut", '{"code": "abc', '{"code": "abc', false],
  ["a list that is cut", '{"input": ["a"', '{"input": ["a"', false],
  ["nothing", "", "", false],
])("%s", (_, json, input, isWhole) => {
  for (const length of [1, 3, 100]) {
    const result = read(json, length);
    expect([result.added.join(""), result.isWhole]).toEqual([input, isWhole]);
  }
});
