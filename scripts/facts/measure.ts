/** Measures the sizes and counts in README and guides on the build and the output of `npm pack`. */

import { execFile } from "node:child_process";
import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { type EngineFiles, packageFiles } from "../../src/bundlers/package-files.ts";
import { distFolder } from "../../vite.config.ts";
import { catalogueChatModels } from "../../worker/catalog/chat/chat-models.ts";
import { catalogueEmbeddings } from "../../worker/catalog/embeddings/embedding-models.ts";
import { prebuiltModels } from "../build/prebuilt-models.ts";
import { gzippedKilobytes, workerScripts } from "../shared/dist-sizes.ts";

const root = resolve(import.meta.dirname, "../..");

/** Fact name → text with unit: `29.5 MB`. */
export type Facts = Readonly<Record<string, string>>;

const megabytes = (bytes: number, digits = 0): string => `${(bytes / 1e6).toFixed(digits)} MB`;

/** @throws if there is no build */
export async function measureFacts(): Promise<Facts> {
  const pack = ["pack", "--dry-run", "--ignore-scripts", "--json"];
  const { stdout } = await promisify(execFile)("npm", pack, { cwd: root, maxBuffer: 2 ** 24 });
  const [packed] = JSON.parse(stdout) as { size: number; unpackedSize: number }[];
  return {
    tarball: megabytes(packed!.size, 1),
    unpacked: megabytes(packed!.unpackedSize),
    "onnx-runtime": megabytes(await bytesIn("ort")),
    "page-entry": `${(await gzippedKilobytes(["index.js"])).toFixed(1)} KB`,
    "server-worker": `${(await gzippedKilobytes(await workerScripts("server.js"))).toFixed(0)} KB`,
    models: `${realModels()}`,
    "files-all": await emitted(),
    "files-webllm": await emitted("webllm"),
    "files-llamacpp": await emitted("llamacpp"),
    "files-transformers": await emitted("transformers"),
  };
}

/** Bytes that a bundler's plugin emits for some engines; for all by default. */
async function emitted(...engines: EngineFiles[]): Promise<string> {
  const paths = await packageFiles(engines.length > 0 ? engines : undefined, distFolder);
  const sizes = await Promise.all(paths.map(async (path) => (await stat(join(distFolder, path))).size));
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

async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(join(distFolder, folder));
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(join(distFolder, folder, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
