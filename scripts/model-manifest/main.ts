/** `node node_modules/infetch/dist/model-manifest.js <folder> [--base-model <org>/<name>] [--context-window <n>]` */

import { parseArgs } from "node:util";
import { writeManifest } from "./write-manifest.ts";

const USAGE = `Usage: model-manifest.js <folder> [--base-model <org>/<name>] [--context-window <tokens>]

Writes infetch-model.json, the manifest that a model folder needs, and prints its SHA-256.`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      "base-model": { type: "string" },
      "context-window": { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const [folder] = positionals;
  const contextWindow = values["context-window"] === undefined ? undefined : Number(values["context-window"]);
  const isNumber = contextWindow === undefined || (Number.isInteger(contextWindow) && contextWindow > 0);
  if (folder === undefined || positionals.length > 1 || !isNumber) {
    console.error(USAGE);
    return 2;
  }
  const sha256 = await writeManifest(folder, {
    ...(values["base-model"] === undefined ? {} : { baseModel: values["base-model"] }),
    ...(contextWindow === undefined ? {} : { contextWindow }),
  });
  console.log(`Wrote ${folder.replace(/\/+$/, "")}/infetch-model.json`);
  console.log(`sha256: ${sha256}`);
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
