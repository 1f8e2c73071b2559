/** Names of files are encoded once and decoded once, whatever is in them. */

import { expect, test } from "vitest";
import { decodeName, fileAddress, isFileName } from "../../../worker/engine-api/file-name.ts";
import { fc } from "../../support/random.ts";

const FOLDER = "https://hub.test/org/model/resolve/feature%2Fx/";
const segment = fc
  .array(
    fc.oneof(
      fc.constantFrom(..."#?% &+.:@|^\"'\\/ä漢😀%2F%2e".split("")),
      fc.string({ unit: "grapheme", maxLength: 3 }),
    ),
  )
  .map((parts) => parts.join(""));
const names = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join("/"));

test("any name leads to its own address in the folder, and back", () => {
  const seen = new Map<string, string>();
  fc.assert(
    fc.property(names, (name) => {
      if (!isFileName(name)) {
        expect(() => fileAddress(FOLDER, name)).toThrow(/no file in its folder/);
        return;
      }
      const address = fileAddress(FOLDER, name);
      const { href, hash, search } = new URL(address);
      expect([address.startsWith(FOLDER), href, hash, search]).toEqual([true, address, "", ""]);
      expect(decodeName(address.slice(FOLDER.length))).toBe(name);
      expect(seen.get(address) ?? name).toBe(name);
      seen.set(address, name);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  "",
  ".",
  "..",
  "../a",
  "a/../b",
  "a/./b",
  "/a",
  "a/",
  "a//b",
  "a\\b",
  "a\nb",
  "\ud800",
  "a".repeat(1025),
  7,
])("%j is no name of a file", (name) => {
  expect(isFileName(name)).toBe(false);
});

test("names without special characters keep the addresses under which they are stored", () => {
  expect(fileAddress(FOLDER, "onnx/model_fp16.onnx")).toBe(`${FOLDER}onnx/model_fp16.onnx`);
  expect(decodeName("100%")).toBe("100%");
});
