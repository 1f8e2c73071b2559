/** `node node_modules/infetch/dist/model-manifest.js <folder> [--base-model <org>/<name>] [--context-window <n>]` */

import { parseArgs } from "node:util";
import { writeManifest } from "./write-manifest.ts";

const USAGE = "Usage: model-manifest.js <folder> [--base-model <org>/<name>] [--context-window <tokens>]";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "base-model": { type: "string" }, "context-window": { type: "string" } },
});
const [folder] = positionals;
const contextWindow = values["context-window"] === undefined ? undefined : Number(values["context-window"]);
const isNumber = contextWindow === undefined || (Number.isInteger(contextWindow) && contextWindow > 0);
if (folder === undefined || positionals.length > 1 || !isNumber) {
  console.error(USAGE);
  process.exit(2);
}
try {
  const sha256 = await writeManifest(folder, {
    ...(values["base-model"] === undefined ? {} : { baseModel: values["base-model"] }),
    ...(contextWindow === undefined ? {} : { contextWindow }),
  });
  console.log(`Wrote ${folder.replace(/\/+$/, "")}/infetch-model.json`);
  console.log(`sha256: ${sha256}`);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
