/** Runs one Vitest project and counts what it reports. */

import { readFile, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { run } from "./run.ts";

export interface Tally {
  passed: number;
  failed: number;
}

/** The part of Vitest's JSON report that is read (https://vitest.dev/guide/reporters#json-reporter). */
export interface Report {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { status: string; assertionResults: { status: string }[] }[];
}

/** Runs the tests of `project` with their progress shown. Never rejects: whatever goes wrong counts as failed. */
export async function runSuite(project: string, root: string): Promise<Tally> {
  const file = resolve(root, `.build/report-${project}.json`);
  await rm(file, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const succeeded = await run("npx", ["vitest", "run", "--project", project, ...reporters], root).then(
    () => true,
    () => false,
  );
  const report = await readFile(file, "utf8").then(
    (text) => JSON.parse(text) as Report,
    () => undefined,
  );
  return tallyOf(report, succeeded);
}

/**
 * Counts a report. A file that failed without a failed test (it did not load), a run that failed for a reason of
 * its own (an unhandled error) and a missing report are one failure each.
 */
export function tallyOf(report: Report | undefined, succeeded: boolean): Tally {
  if (!report) return { passed: 0, failed: 1 };
  const filesNotRun = report.testResults.filter(
    (result) =>
      result.status === "failed" &&
      !result.assertionResults.some((assertion) => assertion.status === "failed"),
  );
  const failed = report.numFailedTests + filesNotRun.length;
  return { passed: report.numPassedTests, failed: failed === 0 && !succeeded ? 1 : failed };
}
