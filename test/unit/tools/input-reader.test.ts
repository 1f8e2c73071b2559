/** Inputs of custom tools, read from arguments in pieces of any length. */

import { expect, test } from "vitest";
import { InputReader } from "../../../worker/tools/custom/input-reader.ts";
import { fc } from "../../support/random.ts";

/** The input, as joined from what the pieces of the arguments add to it. */
function read(text: string, length: number): string[] {
  const reader = new InputReader();
  const pieces = text.match(new RegExp(`[^]{1,${length}}`, "g")) ?? [];
  const added = pieces.map((piece) => reader.push(piece));
  return [...added, reader.end()];
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
      const added = read(written(text, style), length);
      expect(added.join("")).toBe(text);
      expect(added.filter((piece) => /\p{Surrogate}/u.test(piece))).toEqual([]);
    }),
  );
});

test("the beginning of a JSON gives the beginning of its text", () => {
  fc.assert(
    fc.property(anyText, lengths, fc.nat(2), fc.nat(60), (text, length, style, cut) => {
      const json = written(text, style);
      const begun = read(json.slice(0, Math.min(cut, json.length)), length).join("");
      // Before the quote, it may be arguments of another form.
      if (cut > json.indexOf('"', 9)) expect(text.startsWith(begun)).toBe(true);
    }),
  );
});

test("other arguments are the input as they are", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 2 }), lengths, (json, length) => {
      fc.pre(!/^\s*\{\s*(\}|"input"\s*:\s*")/.test(json));
      expect(read(json, length).join("")).toBe(json);
    }),
  );
});

test.each([
  ["a backslash that escapes nothing", '{"input": "C:\\x"}', "C:\\x"],
  ["an unfinished code", '{"input": "\\u12', ""],
  ["a code that is none", '{"input": "\\u12xy"}', "\\u12xy"],
  ["half a character", '{"input": "\\ud83dx"}', "\ud83dx"],
  ["much white space", `${" ".repeat(300)}{"input": "a"}`, `${" ".repeat(300)}{"input": "a"}`],
  ["nothing", "", ""],
])("%s", (_, json, input) => {
  for (const length of [1, 3, 100]) expect(read(json, length).join("")).toBe(input);
});
