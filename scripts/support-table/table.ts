/** Support table of `docs/browsers.md`, from the test reports of each browser. */

import { relative } from "node:path";
import type { Report } from "../test/tally.ts";

/** One column: a Vitest project of `*.browser.test.ts` files and its browser. */
export interface Column {
  title: string;
  report: Report | undefined;
}

/** Rows of the table, with the test files that prove them. */
const FEATURES: readonly [feature: string, files: RegExp][] = [
  ["`fetch` semantics: requests, bodies, aborts, `install()`", /^test\/compliance\//],
  ["Chat and completions", /^test\/browser\/chat\//],
  ["Responses and agents", /^test\/browser\/responses\//],
  ["Embeddings", /^test\/browser\/embeddings\//],
  ["Files and batches", /^test\/browser\/batches\//],
  ["Billing", /^test\/browser\/billing\//],
  ["Keys", /^test\/browser\/keys\//],
  ["Deployments", /^test\/browser\/deployments\//],
  ["llama.cpp, models of the hub", /^test\/browser\/llamacpp\//],
  ["Life and death of an engine", /^test\/browser\/lifecycle\//],
];

const START = "<!-- support -->";
const END = "<!-- /support -->";

/** One report of several runs; undefined if there is none. Where a file ran twice, its later run counts. */
export function mergeReports(reports: readonly (Report | undefined)[]): Report | undefined {
  const found = reports.filter((one) => one !== undefined);
  if (found.length === 0) return undefined;
  const files = new Map(found.flatMap(({ testResults }) => testResults.map((file) => [file.name, file])));
  const numPassedTests = [...files.values()]
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === "passed").length;
  return { numPassedTests, testResults: [...files.values()] };
}

/** `12`: all 12 tests passed; `3 of 5`: others were skipped or failed; `–`: none ran. */
export function supportTable(columns: readonly Column[], root: string): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const rows = FEATURES.map(([feature, files]) => [
    feature,
    ...columns.map(({ report }) => cellOf(report, files, root)),
  ]);
  const head = ["tests that pass", ...columns.map(({ title }) => title)];
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function cellOf(report: Report | undefined, files: RegExp, root: string): string {
  const results = (report?.testResults ?? [])
    .filter(({ name }) => files.test(relative(root, name).replaceAll("\\", "/")))
    .flatMap(({ assertionResults }) => assertionResults);
  if (results.length === 0) return "–";
  const passed = results.filter(({ status }) => status === "passed").length;
  return passed === results.length ? String(passed) : `${passed} of ${results.length}`;
}

/** Inserts the table into `text`. @throws if it has no place for it */
export function placeTable(text: string, table: string): string {
  const [start, end] = [text.indexOf(START), text.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`There is no ${START} … ${END} in the document.`);
  return `${text.slice(0, start + START.length)}\n\n${table}\n\n${text.slice(end)}`;
}
