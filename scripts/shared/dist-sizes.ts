/** Sizes of built files, by their paths in `dist`. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { distFolder } from "../../vite.config.ts";

const BYTES_PER_KB = 1_000;
const STATIC_IMPORT = /(?:from|import) ?"\.\/([^"]+\.js)"/g;

/** The size of all files together, each compressed on its own. */
export async function gzippedKilobytes(paths: readonly string[]): Promise<number> {
  const files = await Promise.all(paths.map((path) => readFile(join(distFolder, path))));
  return files.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).byteLength, 0) / BYTES_PER_KB;
}

/** A script of `dist/worker` and its static imports. */
export async function workerScripts(name: string, seen = new Set<string>()): Promise<string[]> {
  const path = `worker/${name}`;
  if (seen.has(path)) return [];
  seen.add(path);
  const text = await readFile(join(distFolder, path), "utf8");
  for (const [, imported] of text.matchAll(STATIC_IMPORT)) await workerScripts(imported!, seen);
  return [...seen];
}
