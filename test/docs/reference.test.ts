/** docs/reference/api.md matches the docstrings of the built package, and every export and member has one. */

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { readReference } from "../../scripts/reference/api.ts";

const root = resolve(import.meta.dirname, "../..");
let reference: Awaited<ReturnType<typeof readReference>>;

beforeAll(async () => {
  reference = await readReference();
});

test("what is committed is what the docstrings say today (npm run reference)", () => {
  expect(readFileSync(join(root, "docs/reference/api.md"), "utf8")).toBe(reference.markdown);
});

test("every export and every member has a docstring", () => {
  expect(reference.undocumented).toEqual([]);
});

test("every type that an export names is exported by some entry, so that an app can name it", () => {
  expect(reference.unnamed).toEqual([]);
});
