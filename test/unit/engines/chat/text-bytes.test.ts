import { expect, test } from "vitest";
import { collapsedBytesUpTo } from "../../../../worker/engines/chat/collapsed-bytes.ts";
import { bytesUpTo } from "../../../../worker/engines/chat/text-bytes.ts";

const LIMIT = 1_000;

test("white space counts once, wherever it is", () => {
  expect(collapsedBytesUpTo("a  \n\t b", LIMIT)).toBe(3);
  expect(collapsedBytesUpTo("  é\u3000\u3000", LIMIT)).toBe(4);
  expect(collapsedBytesUpTo("", LIMIT)).toBe(0);
  expect(collapsedBytesUpTo(`a${" ".repeat(10 * LIMIT)}b`, LIMIT)).toBe(3);
});

test("what is far too long is above the limit, and is not rewritten to find out", () => {
  const words = "word ".repeat(20_000_000);
  let replaced = 0;
  const watched = Object.assign(Object(words), {
    replace() {
      replaced++;
      return "";
    },
  });
  expect(collapsedBytesUpTo(watched, LIMIT)).toBeGreaterThan(LIMIT);
  expect(bytesUpTo(watched, LIMIT)).toBeGreaterThan(LIMIT);
  expect(replaced).toBe(0);
});
