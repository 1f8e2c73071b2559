/** Playwright's results are counted as Vitest's are. */

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { TestCase, TestError, TestResult } from "@playwright/test/reporter";
import { expect, test } from "vitest";
import TallyReporter from "../../scripts/test/playwright-reporter.ts";
import { type Tally, tallyOf } from "../../scripts/test/tally.ts";

const root = resolve(import.meta.dirname, "../..");
type Outcome = ReturnType<TestCase["outcome"]>;

async function count(tests: [file: string, title: string, outcome: Outcome][], errors: TestError[] = []) {
  const folder = await mkdtemp(join(tmpdir(), "infetch-report-"));
  try {
    const outputFile = join(folder, "made/report.json");
    const reporter = new TallyReporter({ configDir: root, outputFile });
    for (const [file, title, outcome] of tests) {
      const location = { file: join(root, file), line: 1, column: 1 };
      const one = { location, outcome: () => outcome, titlePath: () => ["", "", file, "group", title] };
      const thrown = outcome === "unexpected" ? [{ message: "it broke" }] : [];
      reporter.onTestEnd(one as unknown as TestCase, { errors: thrown } as unknown as TestResult);
    }
    for (const error of errors) reporter.onError(error);
    reporter.onEnd();
    const report = JSON.parse(await readFile(outputFile, "utf8"));
    return (reason?: string): Tally => tallyOf(report, reason, "console", []);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test("what passed, failed and was skipped", async () => {
  const tally = await count([
    ["a.test.ts", "one", "expected"],
    ["a.test.ts", "two", "unexpected"],
    ["b.test.ts", "three", "skipped"],
    ["b.test.ts", "four", "flaky"],
  ]);
  const { passed, failures } = tally("exit 1");
  expect(passed).toBe(1);
  expect(failures).toEqual(["console: a.test.ts: group two\n   it broke", "console: b.test.ts: group four"]);
});

test("a skip that is not listed is a failure, and so is a file that does not load", async () => {
  const skipped = await count([["b.test.ts", "three", "skipped"]]);
  expect(skipped()).toMatchObject({
    passed: 0,
    failed: 1,
    failures: ["console: skipped: b.test.ts: group three"],
  });
  const location = { file: join(root, "c.test.ts"), line: 1, column: 1 };
  const broken = await count([["a.test.ts", "one", "expected"]], [{ message: "no such import", location }]);
  expect(broken("exit 1")).toMatchObject({
    passed: 1,
    failed: 1,
    failures: ["console: c.test.ts did not load\n   no such import"],
  });
});

test("a run without a test is a failure", async () => {
  expect((await count([]))()).toMatchObject({ passed: 0, failed: 1 });
});
