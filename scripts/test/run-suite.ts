/** Runs one suite, a Vitest project or the console's, and tallies its report. */

import { readFile, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { run } from "../shared/run.ts";
import { testExtent } from "./extent.ts";
import { type Report, type Tally, tallyOf } from "./tally.ts";

/** Where a run of this extent leaves its report: `npm test` and `npm run test:slow` keep one each. */
export function reportFile(project: string, root: string, extent = testExtent()): string {
  const name = project === "console" ? project : `${project}-${extent}`;
  return resolve(root, `.build/report-${name}.json`);
}

/** Runs the tests of `project`, showing progress. Never rejects: any error counts as a failure. */
export async function runSuite(project: string, root: string): Promise<Tally> {
  const file = reportFile(project, root);
  await rm(file, { force: true });
  const reporters = [
    "--reporter=default",
    "--reporter=./scripts/test/json-reporter.ts",
    `--outputFile.json=${file}`,
  ];
  const args =
    project === "console" ? ["playwright", "test"] : ["vitest", "run", "--project", project, ...reporters];
  let reason: string | undefined;
  await run("npx", args, root, { prefix: `${project} │ ` }).catch((error: Error) => {
    reason = error.message;
  });
  const report = await readFile(file, "utf8").then(
    (text) => JSON.parse(text) as Report,
    () => undefined,
  );
  return tallyOf(report, reason, project);
}
