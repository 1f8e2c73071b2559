/** Every test that docs/faults.md names exists under that title. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../docs/support/blocks.ts";
import { claimedTests, hasTest } from "../docs/support/claimed-tests.ts";

/** Only the part before the next heading, which has another table. */
const [table] = readFileSync(join(root, "docs/faults.md"), "utf8").split("\n## ");
const rows = claimedTests(table!);

test("no row was lost", () => {
  expect(rows.length).toBeGreaterThan(30);
});

test.each(rows)("$claim: $file has it", (row) => {
  expect(hasTest(row), `${row.file}: ${row.name}`).toBe(true);
});

test("a title that is only a part of a word, or no title, is no test", () => {
  const row = { claim: "", file: "test/faults/table.test.ts" };
  expect(hasTest({ ...row, name: "no row was lost" })).toBe(true);
  expect(hasTest({ ...row, name: "row was lost" })).toBe(true);
  expect(hasTest({ ...row, name: "ow was lost" })).toBe(false);
  expect(hasTest({ ...row, name: "no row" })).toBe(false);
  expect(hasTest({ ...row, name: "a title that is only …" })).toBe(true);
  expect(hasTest({ ...row, name: "a title that is on …" })).toBe(false);
  expect(hasTest({ ...row, name: "no row was lost …" })).toBe(false);
  expect(hasTest({ ...row, name: "docs/faults.md" })).toBe(false);
});
