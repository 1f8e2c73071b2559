/** docs/architecture.md: its table of layers matches the rules, its databases those that are opened. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readSources } from "../support/architecture/files.ts";
import { LAYERS } from "../support/architecture/layers.ts";
import { root } from "./support/blocks.ts";

const text = readFileSync(join(root, "docs/architecture.md"), "utf8");
const entries = Object.keys(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).exports);
const sources = readSources(root, ["src", "worker", "demo"]);

test("the table of layers has each of them, in the order in which they may import", () => {
  const told = [...text.matchAll(/^\| `(worker\/[\w/-]+\/)` \|/gm)].map(([, layer]) => layer);
  expect(told).toEqual(LAYERS.filter((layer) => layer.endsWith("/")));
});

test("every database and cache that the sources name has its line", () => {
  const code = sources.map(({ text: source }) => source).join("\n");
  const databases = [...code.matchAll(/`\$\{(?:this\.)?\w*[nN]ame\}-(\w+)`/g)].map(([, name]) => name!);
  const own = [...code.matchAll(/openDB(?:<\w+>)?\("([\w-]+)"/g)].map(([, name]) => name!);
  const caches = [...code.matchAll(/"(infetch\/\w+)"/g)].map(([, name]) => name!).filter(isCache);
  expect(databases).toEqual(expect.arrayContaining(["accounts", "deployments", "files", "ledger"]));
  for (const name of [...databases, ...own, ...caches]) expect(text, name).toContain(name);
});

/** False for entry points of the package. */
function isCache(name: string): boolean {
  const path = name.replace("infetch", ".");
  return !entries.some((entry) => entry === path || entry.startsWith(`${path}/`));
}
