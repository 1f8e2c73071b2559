/** Builds the vision model: two GGUF files, for llama.cpp alone. */

import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { exportProjector } from "../../models/gguf/clip-gguf.ts";
import { exportGguf } from "../../models/gguf/llama-gguf.ts";
import type { BuiltInManifest } from "../../worker/catalog/built-in.ts";
import type { ModelFile } from "../../worker/engine-api/model-files.ts";
import { modelsFolder } from "./chat-model.ts";

export const VISION_MODEL = "infetch-tiny-vision";
const ENCODING = "q8_0";
/** 2026-11-23: when it was trained. */
const CREATED = 1_795_392_000;

/** Writes both files and returns the model's catalogue entry. */
export async function buildVisionModel(): Promise<BuiltInManifest[string]> {
  const source = resolve(import.meta.dirname, "../../models/tiny-vision");
  const target = resolve(modelsFolder, VISION_MODEL);
  await mkdir(target, { recursive: true });
  const store = async (name: string, bytes: Uint8Array): Promise<ModelFile> => {
    await writeFile(resolve(target, name), bytes);
    return { name, bytes: bytes.byteLength, sha256: createHash("sha256").update(bytes).digest("hex") };
  };
  const gguf = await store(`${VISION_MODEL}.gguf`, await exportGguf(source, ENCODING, VISION_MODEL));
  const projector = await store(`mmproj-${VISION_MODEL}.gguf`, await exportProjector(source, ENCODING));
  const { contextWindow } = JSON.parse(await readFile(resolve(source, "architecture.json"), "utf8"));
  const hashes = `${gguf.sha256},${projector.sha256}`;
  const version = createHash("sha256").update(hashes).digest("hex").slice(0, 12);
  const abilities = { tools: false, reasoning: false };
  return { version, contextWindow, created: CREATED, abilities, gguf, projector };
}
