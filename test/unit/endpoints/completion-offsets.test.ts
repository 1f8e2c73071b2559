import { expect, test } from "vitest";
import { TokenOffsets } from "../../../worker/endpoints/completions/token-offsets.ts";
import { tokenText } from "../../../worker/engines/chat/token-bytes.ts";

type Part = string | number[];

const entries = (parts: readonly Part[]) =>
  parts.map((part) => {
    const bytes = typeof part === "string" ? new TextEncoder().encode(part) : Uint8Array.from(part);
    return { token: tokenText(bytes), bytes: [...bytes], logprob: -1, top: [] };
  });

const SMILE: Part[] = ["Hi ", [0xf0, 0x9f], [0x98, 0x80], " bye", "!"];

test.each<[what: string, parts: Part[], offsets: number[]]>([
  ["a character of several tokens", SMILE, [10, 13, 13, 15, 19]],
  ["a character that text interrupts", ["a", [0xe6], "b", "c"], [10, 11, 12, 13]],
  ["a character that another one interrupts", [[0xe6], [0xea, 0xb0], [0x80], "b"], [10, 11, 11, 12]],
  ["the end of a character without its beginning", ["a", [0x92], "b"], [10, 11, 12]],
  ["text before a part of a character", ["a", [0x78, 0xe6], [0x92, 0x80], "b"], [10, 11, 12, 13]],
])("offsets are places in the text: %s", (_, parts, offsets) => {
  const tokens = entries(parts);
  expect(new TokenOffsets(10).next(tokens)).toEqual(offsets);
  // The same, as a stream delivers them.
  const streamed = new TokenOffsets(10);
  expect(tokens.flatMap((token) => streamed.next([token]))).toEqual(offsets);
  const text = new TextDecoder().decode(Uint8Array.from(tokens.flatMap(({ bytes }) => bytes)));
  const whole = tokens.findIndex(({ token }) => token === "b");
  if (whole >= 0) expect(text.indexOf("b") + 10).toBe(offsets[whole]);
});
