/** docs/reference/errors.md lists exactly the codes that the sources raise. */

import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");

const sources = ["src", "worker"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
  )
  .filter((path) => path.endsWith(".ts"))
  .map((path) => readFileSync(join(root, path), "utf8"))
  .join("\n");

const CODE = "[a-z]+(?:_[a-z]+)+";
/** A constructed error, a `code` field, or a response that is made at once. */
const RAISED = [
  new RegExp(`\\b(?:badRequest|\\w+Error|super)\\(\\s*(?:\\d+,\\s*)?"(${CODE})"`, "g"),
  new RegExp(`\\bcode: "(${CODE})"`, "g"),
  // Responses of the service worker.
  new RegExp(`\\brefuse\\(\\d+, "(${CODE})"`, "g"),
];

const raised = new Set(RAISED.flatMap((form) => [...sources.matchAll(form)].map(([, code]) => code!)));
const documented = [
  ...readFileSync(join(root, "docs/reference/errors.md"), "utf8").matchAll(/^\| `(\w+)` \|/gm),
].map(([, code]) => code!);

test("every code that is raised is documented", () => {
  expect(raised.size).toBeGreaterThan(50);
  expect([...raised].filter((code) => !documented.includes(code))).toEqual([]);
});

test("every code that is documented is in the sources, once in the table", () => {
  expect(
    documented.filter((code) => !sources.includes(`"${code}"`) && !sources.includes(`  ${code}:`)),
  ).toEqual([]);
  expect(new Set(documented).size).toBe(documented.length);
});
