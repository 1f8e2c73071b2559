/**
 * `npm run support`: runs every `*.browser.test.ts` in each browser and writes the table in `docs/browsers.md`.
 * `--reports` runs none: it merges what the last `npm test` and `npm run test:slow` have reported.
 */

import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { findBrowser } from "../browsers/browsers.ts";
import type { BrowserName } from "../browsers/driven-browser.ts";
import { ensureBuilt } from "../build/ensure-built.ts";
import { runCommand } from "../shared/command.ts";
import type { TestExtent } from "../test/extent.ts";
import { reportFile, runSuite } from "../test/run-suite.ts";
import type { Report } from "../test/tally.ts";
import { type Column, mergeReports, placeTable, supportTable } from "./table.ts";

const root = resolve(import.meta.dirname, "../..");
const document = resolve(root, "docs/browsers.md");

const PROJECTS: readonly [project: string, browser: BrowserName, title: string][] = [
  ["chromium", "chromium", "Chromium, WebGPU"],
  ["no-webgpu", "chromium", "Chromium, no WebGPU"],
  ["firefox", "firefox", "Firefox"],
  ["webkit", "webkit", "WebKitGTK"],
];

async function versionOf(name: BrowserName): Promise<string> {
  const browser = await findBrowser(name)?.start();
  await browser?.close();
  return browser?.version.split(".").slice(0, 2).join(".") ?? "none";
}

const reuses = process.argv.includes("--reports");

async function readReport(project: string): Promise<Report | undefined> {
  const extents: TestExtent[] = reuses ? ["quick", "rest"] : ["all"];
  const reports = extents.map((extent) =>
    readFile(reportFile(project, root, extent), "utf8").then(
      (text) => JSON.parse(text) as Report,
      () => undefined,
    ),
  );
  return mergeReports(await Promise.all(reports));
}

await runCommand(async () => {
  const columns: Column[] = [];
  if (!reuses) await ensureBuilt();
  for (const [project, browser, title] of PROJECTS) {
    if (!reuses) await runSuite(project, root);
    columns.push({ title: `${title} ${await versionOf(browser)}`, report: await readReport(project) });
  }
  const table = supportTable(columns, root);
  console.log(table);
  await writeFile(document, placeTable(await readFile(document, "utf8"), table));
});
