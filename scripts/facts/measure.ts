/** Measures the sizes and counts in README and guides on the build and the output of `npm pack`. */

import { execFile } from "node:child_process";
import { readdir, readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { type EngineFiles, packageFiles } from "../../src/bundlers/package-files.ts";
import { catalogueChatModels } from "../../worker/catalog/chat-models.ts";
import { catalogueEmbeddings } from "../../worker/catalog/embedding-models.ts";
import { prebuiltModels } from "../build/prebuilt-models.ts";

const root = resolve(import.meta.dirname, "../..");
const dist = join(root, "dist");
const STATIC_IMPORT = /(?:from|import) ?"\.\/([^"]+\.js)"/g;

/** Fact name → text with unit: `29.5 MB`. */
export type Facts = Readonly<Record<string, string>>;

const megabytes = (bytes: number, digits = 0): string => `${(bytes / 1e6).toFixed(digits)} MB`;

/** @throws if there is no build */
export async function measureFacts(): Promise<Facts> {
  const pack = ["pack", "--dry-run", "--ignore-scripts", "--json"];
  const { stdout } = await promisify(execFile)("npm", pack, { cwd: root, maxBuffer: 2 ** 24 });
  const [packed] = JSON.parse(stdout) as { size: number; unpackedSize: number }[];
  const kilobytes = async (...paths: string[]): Promise<number> => {
    const files = await Promise.all(paths.map((path) => readFile(join(dist, path))));
    return files.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).byteLength, 0) / 1e3;
  };
  return {
    tarball: megabytes(packed!.size, 1),
    unpacked: megabytes(packed!.unpackedSize),
    "onnx-runtime": megabytes(await bytesIn("ort")),
    "page-entry": `${(await kilobytes("index.js")).toFixed(1)} KB`,
    "server-worker": `${(await kilobytes(...(await closure("server.js")))).toFixed(0)} KB`,
    models: `${realModels()}`,
    "files-all": await emitted(),
    "files-webllm": await emitted("webllm"),
    "files-llamacpp": await emitted("llamacpp"),
    "files-transformers": await emitted("transformers"),
  };
}

/** Bytes that a bundler's plugin emits for some engines; for all by default. */
async function emitted(...engines: EngineFiles[]): Promise<string> {
  const paths = await packageFiles(engines.length > 0 ? engines : undefined, dist);
  const sizes = await Promise.all(paths.map(async (path) => (await stat(join(dist, path))).size));
  return megabytes(
    sizes.reduce((sum, size) => sum + size, 0),
    1,
  );
}

/** Catalogue models that are not built in. */
function realModels(): number {
  const hub = "https://hub.test/";
  return catalogueChatModels(hub, prebuiltModels()).length + catalogueEmbeddings(hub).length;
}

/** A script of `dist/worker` and its static imports. */
async function closure(name: string, seen = new Set<string>()): Promise<string[]> {
  const path = `worker/${name}`;
  if (seen.has(path)) return [];
  seen.add(path);
  for (const [, imported] of (await readFile(join(dist, path), "utf8")).matchAll(STATIC_IMPORT))
    await closure(imported!, seen);
  return [...seen];
}

async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(join(dist, folder));
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(dist, folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
