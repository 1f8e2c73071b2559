#!/usr/bin/env node
/** `npx infetch copy <folder> [--engines webllm,llamacpp,transformers]` */

import { parseArgs } from "node:util";
import { copyPackage } from "./copy.ts";
import type { EngineFiles } from "./package-files.ts";

const USAGE = `Usage: infetch copy <folder> [--engines webllm,llamacpp,transformers]

Copies the workers, engines and built-in models into a folder that your app serves, for bundlers without a plugin.
Run it again with each version, for example in "prebuild", and pass the folder's URL to createRuntime() as assetsURL.`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { engines: { type: "string" }, help: { type: "boolean", short: "h" } },
  });
  const [command, folder] = positionals;
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  if (command !== "copy" || folder === undefined || positionals.length > 2) {
    console.error(USAGE);
    return 2;
  }
  const engines = values.engines?.split(",").map((name) => name.trim()) as EngineFiles[] | undefined;
  const { files, bytes, removed } = await copyPackage(folder, engines);
  const gone = removed ? `, removed ${removed} of an earlier version` : "";
  console.log(`Copied ${files} files (${(bytes / 1e6).toFixed(1)} MB) to ${folder}${gone}.`);
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
