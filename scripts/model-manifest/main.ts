/** `node node_modules/infetch/dist/model-manifest.js <folder> [--base-model <org>/<name>] [--context-window <n>]` */

import { parseArgs } from "node:util";
import { runCommand } from "../shared/command.ts";
import { writeManifest } from "./write-manifest.ts";

const USAGE = `Usage: model-manifest.js <folder> [--base-model <org>/<name>] [--context-window <tokens>]

Writes infetch-model.json, the manifest that a model folder needs, and prints its SHA-256.`;

await runCommand(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { "base-model": { type: "string" }, "context-window": { type: "string" } },
  });
  const [folder, ...others] = positionals;
  if (folder === undefined || others.length > 0) throw new Error("Name one folder, that of the model.");
  const baseModel = values["base-model"];
  const contextWindow = parseTokens(values["context-window"]);
  const sha256 = await writeManifest(folder, {
    ...(baseModel === undefined ? {} : { baseModel }),
    ...(contextWindow === undefined ? {} : { contextWindow }),
  });
  console.log(`Wrote ${folder.replace(/\/+$/, "")}/infetch-model.json`);
  console.log(`sha256: ${sha256}`);
}, USAGE);

/** @throws {Error} unless `text` is a positive integer */
function parseTokens(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const tokens = Number(text);
  if (Number.isInteger(tokens) && tokens > 0) return tokens;
  throw new Error(`--context-window must be a number of tokens, not "${text}".`);
}
