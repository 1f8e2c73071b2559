/** `npm run site [-- --base /path/]`: builds the documentation, with the console under `demo/`, into `.build/site`. */

import { cp } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "vitepress";
import { COPIED, root } from "../site/pages.ts";
import { ensureBuilt } from "./build/ensure-built.ts";
import { runCommand } from "./shared/command.ts";

const USAGE = `Usage: npm run site -- [--base /path/]

Builds the documentation, with the console under demo/, into .build/site.`;

const OUTPUT = join(root, ".build/site");

await runCommand(async () => {
  const { values } = parseArgs({ options: { base: { type: "string", default: "/" } } });
  const base = parseBase(values.base);
  await ensureBuilt();
  await build(join(root, "site"), { base, outDir: OUTPUT });
  for (const [source, target] of Object.entries(COPIED)) await cp(join(root, source), join(OUTPUT, target));
  await cp(join(root, ".build/demo"), join(OUTPUT, "demo"), { recursive: true });
  console.log(`Serve ${OUTPUT} under ${base}`);
}, USAGE);

/** The path under which the site is served: `/`, or one that starts and ends with a slash. */
function parseBase(text: string): string {
  if (/^\/(?:[\w.~-]+\/)*$/.test(text)) return text;
  throw new Error(`--base takes a path such as /docs/, not "${text}".`);
}
