/** The table of docs/packaging.md on each bundler: written with `WRITE_TABLES=1`, else compared. */

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { root } from "../../docs/support/blocks.ts";
import type { Recipe } from "./recipes.ts";

export interface Measured {
  bytes: number;
  firstTokenMs: number;
}

const DOCUMENT = join(root, "docs/packaging.md");
const TABLE = /(<!-- bundlers -->\n\n).*?(\n\n<!-- \/bundlers -->)/s;
/** Emitted bytes may differ by this share before the table counts as outdated. */
const TOLERANCE = 0.1;

/** A row without its measured cells. */
function typed({ name, packages, commands, files, serve }: Recipe): string {
  const install = `npm install ${["infetch", ...Object.keys(packages)].join(" ")}`;
  const start = serve ? [serve.replace(/ -H.*/, "")] : [];
  const lines = Object.entries(files).map(
    // Not as code: those are files of this project.
    ([path, text]) => `${path} (${text.trimEnd().split("\n").length})`,
  );
  const code = [install, ...commands, ...start].map((command) => `\`${command}\``).join("<br>");
  return `| ${name} | ${code} | ${lines.join(", ")} |`;
}

const row = (recipe: Recipe, { bytes, firstTokenMs }: Measured): string =>
  `${typed(recipe)} ${(bytes / 1e6).toFixed(1)} MB | ${(firstTokenMs / 1000).toFixed(1)} s |`;

/** Replaces the table. */
export async function writeTable(rows: ReadonlyMap<Recipe, Measured>): Promise<void> {
  const head = ["| | commands | files (lines) | output | first token |", "|---|---|---|---|---|"];
  const table = [...head, ...[...rows].map(([recipe, measured]) => row(recipe, measured))].join("\n");
  const text = await readFile(DOCUMENT, "utf8");
  expect(text).toMatch(TABLE);
  await writeFile(
    DOCUMENT,
    text.replace(TABLE, (_, before, after) => before + table + after),
  );
}

/** Expects the document to have the recipe's commands and files, and about the bytes. */
export async function expectRow(recipe: Recipe, { bytes }: Measured): Promise<void> {
  const [table = ""] = TABLE.exec(await readFile(DOCUMENT, "utf8")) ?? [];
  const found = table.split("\n").find((line) => line.startsWith(`| ${recipe.name} |`));
  expect(found ?? "", "write the table with WRITE_TABLES=1").toContain(typed(recipe));
  const megabytes = Number(/ \| ([\d.]+) MB \| /.exec(found ?? "")?.[1] ?? Number.NaN);
  expect(Math.abs(megabytes - bytes / 1e6) / megabytes, "output in MB").toBeLessThan(TOLERANCE);
}
