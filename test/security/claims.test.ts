/** docs/security.md names a test for each claim: it is there. */

import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const ROW = /^\| (?<claim>[^|]+) \| `(?<file>test\/[\w./-]+)`: (?<name>[^|]+) \|$/;

const lines = readFileSync(join(root, "docs/security.md"), "utf8").split("\n");
const rows = lines.flatMap((line) => {
  const found = ROW.exec(line)?.groups;
  return found ? [found as { claim: string; file: string; name: string }] : [];
});

test("every claim has a test", () => {
  const ofTable = lines.filter((line) => line.startsWith("| ") && !line.startsWith("| claim "));
  expect(rows).toHaveLength(ofTable.length);
  expect(rows.length).toBeGreaterThan(15);
});

test.each(rows)("$claim: $file has it", ({ file, name }) => {
  expect(existsSync(join(root, file))).toBe(true);
  expect(readFileSync(join(root, file), "utf8")).toContain(name);
});

test("every package of the lockfile has an integrity hash, and none names a host", () => {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  for (const [path, entry] of Object.entries<{ integrity?: string; resolved?: string; link?: boolean }>(
    packages,
  )) {
    if (!path.startsWith("node_modules/") || entry.link || path.endsWith("/stubs/empty")) continue;
    expect(entry.integrity, path).toMatch(/^sha512-/);
    expect(entry.resolved ?? "", path).not.toContain("://");
  }
});
