/** Counts of passed, failed and skipped tests: of a Vitest report, of a run, and of both runs together. */

import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { relative, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { type ExpectedSkip, expectedSkips } from "./expected-skips.ts";

const root = resolve(import.meta.dirname, "../..");

export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
  /** Failures with reasons, printed last so that a truncated log still shows them. */
  failures: string[];
}

/** The used part of Vitest's JSON report (https://vitest.dev/guide/reporters#json-reporter), also of Playwright's. */
export interface Report {
  numPassedTests: number;
  testResults: {
    /** File path. */
    name: string;
    status: string;
    /** Why the file failed to load. */
    message?: string;
    assertionResults: { status: string; fullName: string; failureMessages?: string[] | null }[];
  }[];
}

/** `2 passed, 0 failed`, plus skipped tests if any. */
export function describeTally({ passed, failed, skipped }: Omit<Tally, "failures">): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

export function sumOf(tallies: readonly Tally[]): Tally {
  const sum: Tally = { passed: 0, failed: 0, skipped: 0, failures: [] };
  for (const { passed, failed, skipped, failures } of tallies) {
    sum.passed += passed;
    sum.failed += failed;
    sum.skipped += skipped;
    sum.failures.push(...failures);
  }
  return sum;
}

/** Prints the failures with reasons, then the counts. */
export function printTally(tally: Tally): void {
  for (const failure of tally.failures) console.log(`\n── failed: ${failure}`);
  console.log(`\n${describeTally(tally)}`);
}

const MAX_REASON_CHARS = 4000;

/** One entry of `Tally.failures`. */
export function failureOf(name: string, reason = ""): string {
  const indented = stripVTControlCharacters(reason)
    .trim()
    .slice(0, MAX_REASON_CHARS)
    .replaceAll("\n", "\n   ");
  return indented === "" ? name : `${name}\n   ${indented}`;
}

/**
 * Counts a report. Each of these is one failure: a file that failed without a failed test (it did not load), a run
 * that failed by itself (an unhandled error), a missing report, a report without tests, and a skip not listed in
 * `expectedSkips`. `reason` says how a failed run ended.
 */
export function tallyOf(
  report: Report | undefined,
  reason: string | undefined,
  project: string,
  expected: readonly ExpectedSkip[] = expectedSkips,
): Tally {
  if (!report)
    return { passed: 0, failed: 1, skipped: 0, failures: [failureOf(`${project}: no report`, reason)] };
  const isFailed = ({ status }: { status: string }): boolean => status === "failed";
  const failures: string[] = [];
  const skips: { file: string; name: string }[] = [];
  for (const { name: path, status, message, assertionResults } of report.testResults) {
    const file = relative(root, path);
    const failed = assertionResults.filter(isFailed);
    for (const { fullName, failureMessages } of failed)
      failures.push(failureOf(`${project}: ${file}: ${fullName}`, failureMessages?.join("\n")));
    // The tests were skipped because the file failed.
    if (status === "failed") {
      if (failed.length === 0) failures.push(failureOf(`${project}: ${file} did not load`, message));
      continue;
    }
    const left = assertionResults.filter((one) => one.status !== "passed" && !isFailed(one));
    skips.push(...left.map(({ fullName }) => ({ file, name: fullName })));
  }
  const unexpected = skips.filter((skip) => !expected.some((one) => matches(one, project, skip)));
  for (const { file, name } of unexpected) failures.push(`${project}: skipped: ${file}: ${name}`);
  const passed = report.numPassedTests;
  if (failures.length === 0 && passed === 0) failures.push(failureOf(`${project}: no test ran`, reason));
  if (failures.length === 0 && reason !== undefined)
    failures.push(failureOf(`${project}: the run failed, with no failed test`, reason));
  return { passed, failed: failures.length, skipped: skips.length - unexpected.length, failures };
}

function matches(one: ExpectedSkip, project: string, skip: { file: string; name: string }): boolean {
  if (one.projects && !one.projects.includes(project)) return false;
  if (one.platforms?.includes(process.platform) === false) return false;
  return skip.file === one.file && skip.name.includes(one.name ?? "");
}

const fileOf = (run: string): string => resolve(root, `.build/tally-${run}.json`);

/** Removes an earlier run's tally, so that it is not mistaken for this run's. */
export async function forgetTally(run: string): Promise<void> {
  await rm(fileOf(run), { force: true });
}

/** Stores the tally of a run (`test`, `test-slow`) for `scripts/sum-tallies.ts`. */
export async function keepTally(run: string, tally: Tally): Promise<void> {
  await mkdir(resolve(root, ".build"), { recursive: true });
  await writeFile(fileOf(run), JSON.stringify(tally));
}

/** Reads a run's tally; counts one failure if it is missing. */
export async function recallTally(run: string): Promise<Tally> {
  return readFile(fileOf(run), "utf8").then(
    (text) => JSON.parse(text) as Tally,
    () => ({ passed: 0, failed: 1, skipped: 0, failures: [`${run} left no tally`] }),
  );
}
