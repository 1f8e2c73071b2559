/** Writes `infetch-model.json`: describes a model folder, with a hash of every file. */

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { ModelManifest } from "../../src/protocol/options/own-models.ts";
import { isManifestName, MANIFEST_FILE } from "../../worker/engine-api/file-name.ts";
import { isGgufName, isProjectorName } from "../../worker/engine-api/gguf-name.ts";
import { MAX_METADATA_BYTES, parseMetadata } from "../../worker/model-store/gguf/metadata.ts";
import { makesVectors } from "../../worker/model-store/gguf/model-kind.ts";

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
    kind: await kindOf(folder, names),
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

async function kindOf(folder: string, names: readonly string[]): Promise<ModelManifest["kind"]> {
  if (names.includes("mlc-chat-config.json")) return "chat";
  const gguf = names.find((name) => isGgufName(name) && !isProjectorName(name));
  if (gguf !== undefined) return kindOfGguf(join(folder, gguf));
  if (names.some((name) => name.endsWith(".onnx"))) return "embedding";
  throw new Error(
    `No model is recognised in ${folder}: a chat model has an mlc-chat-config.json or a .gguf file, an embedding model an .onnx file.`,
  );
}

/** By the file's metadata, which the browser reads again: what cannot be read is refused there. */
async function kindOfGguf(path: string): Promise<ModelManifest["kind"]> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_METADATA_BYTES), 0, MAX_METADATA_BYTES, 0);
    const { values } = parseMetadata(buffer.subarray(0, bytesRead));
    return makesVectors(values) ? "embedding" : "chat";
  } catch {
    return "chat";
  } finally {
    await file.close();
  }
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
