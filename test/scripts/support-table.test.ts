import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { mergeReports, placeTable, supportTable } from "../../scripts/support-table/table.ts";
import type { Report } from "../../scripts/test/tally.ts";

function report(files: Record<string, string[]>): Report {
  const testResults = Object.entries(files).map(([name, statuses]) => ({
    name: `/project/${name}`,
    status: "passed",
    assertionResults: statuses.map((status, at) => ({ status, fullName: `${name} ${at}` })),
  }));
  return { numPassedTests: 0, testResults };
}

test("a cell says how many tests pass, and of how many where some do not", () => {
  const chromium = report({
    "test/compliance/body.browser.test.ts": ["passed", "passed"],
    "test/browser/chat/a.browser.test.ts": ["passed"],
    "test/browser/chat/b.browser.test.ts": ["passed", "failed"],
  });
  const webkit = report({ "test/compliance/body.browser.test.ts": ["passed", "skipped"] });
  const columns = [
    { title: "Chromium 156", report: chromium },
    { title: "WebKitGTK 2.50", report: webkit },
    { title: "Firefox none", report: undefined },
  ];
  const lines = supportTable(columns, "/project").split("\n");
  expect(lines[0]).toBe("| tests that pass | Chromium 156 | WebKitGTK 2.50 | Firefox none |");
  expect(lines[2]).toMatch(/^\| `fetch` semantics.* \| 2 \| 1 of 2 \| – \|$/);
  expect(lines[3]).toBe("| Chat and completions | 2 of 3 | – | – |");
});

test("the reports of the quick and of the slow tests make one column", () => {
  const quick = report({ "test/browser/chat/a.browser.test.ts": ["passed"] });
  const rest = report({
    "test/browser/chat/a.browser.test.ts": ["passed"],
    "test/browser/chat/b.browser.test.ts": ["passed", "failed"],
  });
  const column = { title: "Firefox 153", report: mergeReports([quick, undefined, rest]) };
  expect(supportTable([column], "/project").split("\n")[3]).toBe("| Chat and completions | 2 of 3 |");
  expect(mergeReports([undefined, undefined])).toBeUndefined();
});

test("docs/browsers.md has a place for the table", async () => {
  const text = await readFile(resolve(import.meta.dirname, "../../docs/browsers.md"), "utf8");
  expect(placeTable(text, "| new |")).toContain("| new |");
});

test("the table takes the place of the earlier one, and nothing else changes", () => {
  const text = "# Browsers\n\n<!-- support -->\nold\n<!-- /support -->\n\nLimits\n";
  expect(placeTable(text, "| new |")).toBe(
    "# Browsers\n\n<!-- support -->\n\n| new |\n\n<!-- /support -->\n\nLimits\n",
  );
  expect(() => placeTable("# Browsers\n", "| new |")).toThrow("no <!-- support -->");
});
