/** docs/faults.md names a test in each row: it is there. */

import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const ROW = /^\| (?<fault>[^|]+) \|.*\| `(?<file>test\/[\w./-]+)`: (?<name>[^|]+) \|$/;

/** What stands before the next heading: another table is behind it. */
const [table] = readFileSync(join(root, "docs/faults.md"), "utf8").split("\n## ");
const lines = table!.split("\n");
const rows = lines.flatMap((line) => {
  const found = ROW.exec(line)?.groups;
  return found ? [found as { fault: string; file: string; name: string }] : [];
});

test("every row has a test", () => {
  const ofTable = lines.filter((line) => line.startsWith("| ") && !line.startsWith("| fault "));
  expect(rows).toHaveLength(ofTable.length);
  expect(rows.length).toBeGreaterThan(30);
});

test.each(rows)("$fault: $file has it", ({ file, name }) => {
  expect(existsSync(join(root, file))).toBe(true);
  expect(readFileSync(join(root, file), "utf8")).toContain(name);
});
