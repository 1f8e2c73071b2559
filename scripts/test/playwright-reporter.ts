/** Writes Playwright's results as the report that `tally.ts` reads. */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Reporter, TestCase, TestError, TestResult } from "@playwright/test/reporter";
import type { Report } from "./tally.ts";

type FileReport = Report["testResults"][number];

const STATUS: Record<ReturnType<TestCase["outcome"]>, string> = {
  expected: "passed",
  unexpected: "failed",
  flaky: "failed",
  skipped: "skipped",
};

export default class TallyReporter implements Reporter {
  readonly #outputFile: string;
  readonly #files = new Map<string, FileReport>();

  constructor({ configDir, outputFile }: { configDir: string; outputFile: string }) {
    this.#outputFile = resolve(configDir, outputFile);
  }

  /** Runs once per test, as there are no retries. */
  onTestEnd(test: TestCase, { errors }: TestResult): void {
    const file = this.#fileOf(test.location.file);
    const status = STATUS[test.outcome()];
    if (status === "failed") file.status = "failed";
    // The first three are the run's root, its project and the file.
    const fullName = test.titlePath().slice(3).join(" ");
    file.assertionResults.push({ status, fullName, failureMessages: errors.map(textOf) });
  }

  /** An error outside of a test, such as a file that does not load. */
  onError(error: TestError): void {
    const file = this.#fileOf(error.location?.file ?? "the run");
    file.status = "failed";
    file.message = [file.message, textOf(error)].filter(Boolean).join("\n");
  }

  onEnd(): void {
    const testResults = [...this.#files.values()];
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
    const numPassedTests = tests.filter(({ status }) => status === "passed").length;
    mkdirSync(dirname(this.#outputFile), { recursive: true });
    writeFileSync(this.#outputFile, JSON.stringify({ numPassedTests, testResults } satisfies Report));
  }

  #fileOf(name: string): FileReport {
    const file = this.#files.get(name) ?? { name, status: "passed", assertionResults: [] };
    this.#files.set(name, file);
    return file;
  }
}

function textOf({ message, stack, value }: TestError): string {
  return stack ?? message ?? value ?? "";
}
