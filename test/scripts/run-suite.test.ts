import { expect, test } from "vitest";
import { type Report, tallyOf } from "../../scripts/run-suite.ts";

const report = (changes: Partial<Report> = {}): Report => ({
  numPassedTests: 3,
  numFailedTests: 0,
  testResults: [{ status: "passed", assertionResults: [{ status: "passed" }] }],
  ...changes,
});

test("counts what the report counts", () => {
  expect(tallyOf(report(), true)).toEqual({ passed: 3, failed: 0 });
  const failing = [{ status: "failed", assertionResults: [{ status: "failed" }, { status: "passed" }] }];
  expect(tallyOf(report({ numFailedTests: 1, testResults: failing }), false)).toEqual({
    passed: 3,
    failed: 1,
  });
});

test("a file that did not load is a failure", () => {
  const testResults = [{ status: "failed", assertionResults: [] }];
  expect(tallyOf(report({ testResults }), false)).toEqual({ passed: 3, failed: 1 });
});

test("a run that fails with no failed test, or leaves no report, is a failure", () => {
  expect(tallyOf(report(), false)).toEqual({ passed: 3, failed: 1 });
  expect(tallyOf(undefined, true)).toEqual({ passed: 0, failed: 1 });
});
