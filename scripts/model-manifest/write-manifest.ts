/** Writes `infetch-model.json`: describes a model folder, with a hash of every file. */

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { ModelManifest } from "../../src/protocol/own-models.ts";
import { isManifestName, MANIFEST_FILE } from "../../worker/engines/api/file-name.ts";
import { isGgufName } from "../../worker/engines/api/gguf-name.ts";

/**
 * Fields missing in `facts` are taken from an existing manifest or derived from the model's files.
 *
 * @returns the manifest's own hash, for the `sha256` option
 * @throws {Error} if no model is recognized in the folder
 */
export async function writeManifest(folder: string, facts: Partial<ModelManifest> = {}): Promise<string> {
  const found = (await readdir(folder, { recursive: true, withFileTypes: true }))
    // The hub's tools download into a store of their own, and link the files.
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    // Hidden folders too: a clone has .git, and the hub's tools leave .cache.
    .filter((name) => name !== MANIFEST_FILE && !/(^|\/)\./.test(name))
    .sort();
  const names: string[] = [];
  for (const name of found) if ((await stat(join(folder, name))).isFile()) names.push(name);
  const odd = names.find((name) => !isManifestName(name));
  if (odd !== undefined)
    throw new Error(
      `A manifest cannot name the file ${JSON.stringify(odd)}: rename it, or move it elsewhere.`,
    );
  const files = [];
  for (const name of names) files.push(await describe(folder, name));
  const manifest = {
    infetch: 1,
    kind: kindOf(folder, names),
    ...(await contextOf(folder, names)),
    ...(await readJson(join(folder, MANIFEST_FILE))),
    ...facts,
    files,
  };
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  await writeFile(join(folder, MANIFEST_FILE), text);
  return createHash("sha256").update(text).digest("hex");
}

async function describe(folder: string, name: string): Promise<ModelManifest["files"][number]> {
  const path = join(folder, name);
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return { name, bytes: (await stat(path)).size, sha256: hash.digest("hex") };
}

function kindOf(folder: string, names: readonly string[]): ModelManifest["kind"] {
  if (names.some((name) => name === "mlc-chat-config.json" || isGgufName(name))) return "chat";
  if (names.some((name) => name.endsWith(".onnx"))) return "embedding";
  throw new Error(
    `No model is recognised in ${folder}: a chat model has an mlc-chat-config.json or a .gguf file, an embedding model an .onnx file.`,
  );
}

async function contextOf(folder: string, names: readonly string[]): Promise<{ contextWindow?: number }> {
  if (!names.includes("mlc-chat-config.json")) return {};
  const { context_window_size: tokens } = await readJson(join(folder, "mlc-chat-config.json"));
  return typeof tokens === "number" && tokens > 0 ? { contextWindow: tokens } : {};
}

/**
 * Returns an empty object if the file is missing.
 *
 * @throws {Error} that names the file if it is no JSON
 */
async function readJson(path: string): Promise<Record<string, unknown>> {
  const text = await readFile(path, "utf8").catch(() => "{}");
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    throw new Error(`${path} is not valid JSON: ${(error as Error).message}`);
  }
}
