/** RWKV's vocabulary: its tokens are bytes in Python's notation, and the longest is taken. */

import { expect, test } from "vitest";
import { GgufTokenizer } from "../../../../../worker/engines/llamacpp/tokenizer/gguf-tokenizer.ts";
import { LongestTokens } from "../../../../../worker/engines/llamacpp/tokenizer/longest-tokens.ts";
import type { GgufValue } from "../../../../../worker/model-store/gguf/metadata.ts";
import { RWKV_TOKENS } from "../../../../support/gguf/tiny-rwkv.ts";
import { fc } from "../../../../support/random.ts";

const tokenizer = new GgufTokenizer(
  new Map<string, GgufValue>([
    ["tokenizer.ggml.model", "rwkv"],
    ["tokenizer.ggml.tokens", [...RWKV_TOKENS]],
    ["tokenizer.ggml.token_type", RWKV_TOKENS.map((_, id) => (id === 0 ? 3 : 1))],
  ]),
);
const written = (text: string): string[] => tokenizer.encode(text).map((id) => RWKV_TOKENS[id]!);

test("texts are cut from the left at the longest token, across words", () => {
  expect(written("User: hello\n\nAssistant:")).toEqual(["User", ":", " hello", "\\n\\n", "Assistant", ":"]);
  // " hel" is no token, though "  " would leave one.
  expect(written("  hel")).toEqual(["  ", "h", "e", "l"]);
  expect(written("\n\n\n")).toEqual(["\\n\\n", "\\n"]);
});

test("tokens are bytes in Python's notation", () => {
  expect(written("\t\r\\'\"é€")).toEqual([
    "\\t",
    "\\r",
    "\\\\",
    "\\'",
    '"',
    "\\xc3\\xa9",
    "\\xe2\\x82",
    "\\xac",
  ]);
  expect(tokenizer.encode("<s>")).toEqual([0]);
  expect(tokenizer.longestTokenBytes).toBe("Assistant".length);
});

test("any text is its tokens' text again", () => {
  const words = fc.constantFrom("User", " ", "\n", "hello", "<s>", "é", "\\x41", "\\n", "€");
  const text = fc.array(fc.oneof(words, fc.string({ unit: "grapheme" })), { maxLength: 12 });
  fc.assert(
    fc.property(text, (parts) => {
      const whole = parts.join("");
      expect(tokenizer.decode(tokenizer.encode(whole))).toBe(whole);
    }),
  );
});

test("a million characters without a space are read", () => {
  expect(tokenizer.encode("hello".repeat(200_000))).toHaveLength(200_000);
});

test("the longest token is taken at each place, or one character", () => {
  const piece = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(fc.array(piece), fc.string({ unit: fc.constantFrom("a", "b", "c") }), (tokens, text) => {
      const pieces = new LongestTokens(tokens).split(text);
      expect(pieces.join("")).toBe(text);
      let rest = text;
      for (const one of pieces) {
        const found = tokens.filter((token) => rest.startsWith(token));
        expect(one.length).toBe(Math.max(1, ...found.map(({ length }) => length)));
        rest = rest.slice(one.length);
      }
    }),
  );
});

test("a long token that a text almost has at each place is looked for once at each", () => {
  const longest = new LongestTokens(["a", `${"a".repeat(20_000)}b`]);
  expect(longest.split("a".repeat(100_000))).toHaveLength(100_000);
});
