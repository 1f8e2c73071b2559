/** Table rows that each name a test, and whether that test exists. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./blocks.ts";

export interface ClaimedTest {
  /** The first column. */
  claim: string;
  file: string;
  /**
   * The test's title, or its end without a prefix from `test.each` or a template. With ` …` at the end, the words
   * that one title of the file, and no other, begins with.
   */
  name: string;
}

const ROW = /^\| (?<claim>[^|]+) \|(?:.*\|)? `(?<file>test\/[\w./-]+)`: (?<name>[^|]+) \|$/;
const RULE = /^\|[-|]+\|$/;

/** All table rows of `text`, without headers. @throws for a row that names no test */
export function claimedTests(text: string): ClaimedTest[] {
  const lines = text.split("\n");
  return lines.flatMap((line, at) => {
    if (!line.startsWith("|") || RULE.test(line) || RULE.test(lines[at + 1] ?? "")) return [];
    const found = ROW.exec(line)?.groups;
    if (!found) throw new Error(`No test is named here: ${line}`);
    return [found as unknown as ClaimedTest];
  });
}

/** Whether `file` has exactly one test that `name` means, and nothing in it is skipped. */
export function hasTest({ file, name }: ClaimedTest): boolean {
  const source = readFileSync(join(root, file), "utf8");
  const isWhole = !name.endsWith(" …");
  const words = isWhole ? name : name.slice(0, -2);
  const title = words.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  // The first argument of `test(`, or of the result of `test.each(…)` or `test.skipIf(…)`.
  const registered = new RegExp(
    `(?:\\btest\\(|\\)\\()\\s*(["'\`])(?:[^\\n]* )?${title}${isWhole ? "\\1," : " "}`,
    "g",
  );
  return (
    [...source.matchAll(registered)].length === 1 &&
    !/\b(?:test|describe)\.(?:skip|only|todo|fails)\b/.test(source)
  );
}
