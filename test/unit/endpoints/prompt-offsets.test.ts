import { expect, test } from "vitest";
import { promptOffsets } from "../../../worker/endpoints/completions/prompt-scores.ts";

function offsets(text: string, tokens: readonly (string | number[])[]): number[] {
  const entries = tokens.map((one, id) =>
    typeof one === "string"
      ? { id, token: one, bytes: Array.from(new TextEncoder().encode(one)) }
      : { id, token: "bytes:…", bytes: one },
  );
  return promptOffsets(entries, text);
}

test.each([
  ["tokens", "Hello world", ["Hello", " world"], [0, 5]],
  ["a token that the text lacks", "Hello world", ["<s>", "Hello", " world"], [0, 0, 5]],
  ["SentencePiece's space", "Hello world", ["<s>", " Hello", " world"], [0, 0, 5]],
  ["a character of several tokens", "a🦊b", ["a", [0xf0, 0x9f], [0xa6], [0x8a], "b"], [0, 1, 1, 1, 3]],
  ["more text than the prompt has", "ab", ["ab", "cd", "e"], [0, 2, 2]],
])("offsets of %s", (_, text, tokens, expected) => {
  expect(offsets(text, tokens)).toEqual(expected);
});
