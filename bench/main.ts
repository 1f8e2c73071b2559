/**
 * `npm run bench`: infetch's overhead, measured in Chromium against a baseline of the same run. `--only a,b` selects
 * groups, `--quick` runs a short check, `--json FILE` and `--markdown FILE` write the table.
 */

import { readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { ensureBuilt } from "../scripts/build/ensure-built.ts";
import { runCommand } from "../scripts/shared/command.ts";
import type { Figure } from "./figures.ts";
import { bytes } from "./groups/bytes.ts";
import { decode } from "./groups/decode.ts";
import { embeddings } from "./groups/embeddings.ts";
import { firstByte } from "./groups/first-byte.ts";
import type { Group } from "./groups/group.ts";
import { ledger } from "./groups/ledger.ts";
import { peers } from "./groups/peers.ts";
import { port } from "./groups/port.ts";
import { sideBySide } from "./groups/side-by-side.ts";
import { start } from "./groups/start.ts";
import { turns } from "./groups/turns.ts";
import { openLab } from "./lab.ts";
import { describeMachine } from "./machine.ts";
import { toMachineList, toMarkdownTable, toTextTable } from "./report.ts";

const GROUPS: Record<string, [what: string, group: Group]> = {
  a: ["decoding", decode],
  b: ["time to first byte", firstByte],
  c: ["port and event stream", port],
  d: ["embeddings", embeddings],
  e: ["conversations", turns],
  f: ["ledger", ledger],
  g: ["start", start],
  h: ["bytes", bytes],
  i: ["peers", peers],
  j: ["requests side by side", sideBySide],
};

const USAGE = `Usage: npm run bench -- [--only ${Object.keys(GROUPS).join(",")}] [--quick] [--json FILE] [--markdown FILE]

Measures infetch's overhead in Chromium against a baseline of the same run.`;

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      only: { type: "string" },
      quick: { type: "boolean", default: false },
      json: { type: "string" },
      markdown: { type: "string" },
    },
  });
  const letters = requireLetters(values.only);
  await ensureBuilt();
  const lab = await openLab((line) => console.log(`     ${line}`));
  const figures: Figure[] = [];
  try {
    const machine = await describeMachine(lab);
    for (const letter of letters) {
      const [what, group] = GROUPS[letter]!;
      console.log(`── ${letter}: ${what} ──`);
      figures.push(...(await group(lab, { rounds: values.quick ? 1 : 9, isQuick: values.quick })));
    }
    console.log(`\n${toTextTable(figures)}\n\n${toMachineList(machine)}`);
    if (values.json) await writeFile(values.json, `${JSON.stringify({ machine, figures }, null, 2)}\n`);
    if (values.markdown) {
      const table = `${toMachineList(machine)}\n\n${toMarkdownTable(figures)}`;
      await writeFile(values.markdown, replaceTable(await readFile(values.markdown, "utf8"), table));
    }
  } finally {
    await lab.close();
  }
}, USAGE);

/** @throws {Error} for an unknown group letter */
function requireLetters(only: string | undefined): string[] {
  const letters = only?.split(",").map((letter) => letter.trim()) ?? Object.keys(GROUPS);
  const unknown = letters.find((letter) => !GROUPS[letter]);
  if (unknown === undefined) return letters;
  throw new Error(`There is no group "${unknown}": --only takes ${Object.keys(GROUPS).join(", ")}.`);
}

/** Replaces the table between the two marks; the surrounding text is kept. */
function replaceTable(page: string, table: string): string {
  const [start, end] = ["<!-- bench -->", "<!-- /bench -->"];
  const [head, rest] = page.split(start);
  const tail = rest?.split(end)[1];
  if (head === undefined || tail === undefined) throw new Error(`The page has no ${start} … ${end}.`);
  return `${head}${start}\n${table}\n${end}${tail}`;
}
