import { resolve } from "node:path";
import { expect, test } from "vitest";
import { describeTally, type Report, sumOf, tallyOf } from "../../scripts/test/tally.ts";

type File = Report["testResults"][number];

/** The report of a test file with these statuses. `file` is relative to the project root. */
const fileOf = (statuses: string[], status = "passed", file = "test/one.test.ts"): File => ({
  name: resolve(import.meta.dirname, "../..", file),
  status,
  assertionResults: statuses.map((status, at) => ({ status, fullName: `group test ${at}` })),
});

const report = (...testResults: File[]): Report => {
  const statuses = testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ status }) => status),
  );
  const count = (wanted: string): number => statuses.filter((status) => status === wanted).length;
  return { numPassedTests: count("passed"), testResults };
};

const tally = (given: Report | undefined, succeeded = true, expected = skips) =>
  tallyOf(given, succeeded ? undefined : "ended with 1\nwhy", "node", expected);
const skips = [{ file: "test/two.test.ts", name: "test 1", projects: ["node"], because: "" }];

test("counts what the report counts", () => {
  expect(tally(report(fileOf(["passed", "passed"])))).toMatchObject({ passed: 2, failed: 0, skipped: 0 });
  const failing = report(fileOf(["failed", "passed"], "failed"));
  failing.testResults[0]!.assertionResults[0]!.failureMessages = ["\u001b[31mexpected 1\u001b[39m"];
  expect(tally(failing, false)).toEqual({
    passed: 1,
    failed: 1,
    skipped: 0,
    failures: ["node: test/one.test.ts: group test 0\n   expected 1"],
  });
});

test("a file that did not load is a failure, and its tests are not skipped ones", () => {
  const files = [
    fileOf(["passed"]),
    { ...fileOf(["skipped", "skipped"], "failed"), message: "no such module" },
  ];
  expect(tally(report(...files), false)).toEqual({
    passed: 1,
    failed: 1,
    skipped: 0,
    failures: ["node: test/one.test.ts did not load\n   no such module"],
  });
});

test("a run that fails with no failed test, leaves no report, or runs nothing, is a failure", () => {
  const { failures, ...counts } = tally(report(fileOf(["passed"])), false);
  expect(counts).toEqual({ passed: 1, failed: 1, skipped: 0 });
  expect(failures).toEqual(["node: the run failed, with no failed test\n   ended with 1\n   why"]);
  expect(tally(undefined)).toMatchObject({ passed: 0, failed: 1 });
  expect(tally(report())).toMatchObject({ passed: 0, failed: 1 });
});

test.each(["skipped", "pending", "todo"])(
  "a test that is %s is counted; unexpected, it is a failure",
  (state) => {
    const expected = report(fileOf(["passed", state], "passed", "test/two.test.ts"));
    expect(tally(expected)).toEqual({ passed: 1, failed: 0, skipped: 1, failures: [] });
    const unexpected = { passed: 1, failed: 1, skipped: 0 };
    expect(tally(report(fileOf(["passed", state])))).toEqual({
      ...unexpected,
      failures: ["node: skipped: test/one.test.ts: group test 1"],
    });
    const otherTest = report(fileOf([state, "passed"], "passed", "test/two.test.ts"));
    expect(tally(otherTest)).toMatchObject(unexpected);
    expect(tallyOf(expected, undefined, "chromium", skips)).toMatchObject(unexpected);
  },
);

test("a skip that only other platforms may have is a failure here", () => {
  const platforms = (["linux", "darwin", "win32"] as const).filter((name) => name !== process.platform);
  const given = report(fileOf(["passed", "skipped"]));
  const elsewhere = [{ file: "test/one.test.ts", platforms, because: "" }];
  expect(tallyOf(given, undefined, "node", elsewhere)).toMatchObject({ failed: 1, skipped: 0 });
});

test("tallies are added, and said in one line", () => {
  expect(
    describeTally(
      sumOf([
        { passed: 1, failed: 2, skipped: 0, failures: ["a", "b"] },
        { passed: 3, failed: 0, skipped: 0, failures: [] },
      ]),
    ),
  ).toBe("4 passed, 2 failed");
  expect(describeTally({ passed: 4, failed: 0, skipped: 5 })).toBe("4 passed, 0 failed, 5 skipped");
});
