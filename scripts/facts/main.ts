/** `npm run facts`: updates the package's sizes and counts in the documents from the build. */

import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ensureBuilt } from "../build/ensure-built.ts";
import { runCommand } from "../shared/command.ts";
import { measureFacts } from "./measure.ts";
import { FACT_DOCUMENTS, writeFacts } from "./write.ts";

await runCommand(async () => {
  await ensureBuilt();
  const facts = await measureFacts();
  for (const [name, text] of Object.entries(facts)) console.log(`${name}: ${text}`);
  for (const name of FACT_DOCUMENTS) {
    const path = resolve(import.meta.dirname, "../..", name);
    await writeFile(path, writeFacts(await readFile(path, "utf8"), facts));
  }
});
