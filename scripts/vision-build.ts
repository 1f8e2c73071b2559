/** Builds the model that sees: two GGUF files and the manifest that makes their folder a model of its own. */

import { mkdir, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { exportProjector } from "../models/gguf/clip-gguf.ts";
import { exportGguf } from "../models/gguf/llama-gguf.ts";
import { readArchitecture } from "../models/library/build.ts";
import { modelsFolder } from "./build-models.ts";
import { writeManifest } from "./model-manifest/write-manifest.ts";

const NAME = "infetch-tiny-vision";
const ENCODING = "q8_0";
/** 2026-11-23: when it was trained. */
const CREATED = 1_795_392_000;

export async function buildVisionModel(): Promise<void> {
  const source = resolve(import.meta.dirname, "../models/tiny-vision");
  const target = resolve(modelsFolder, NAME);
  await mkdir(target, { recursive: true });
  await writeFile(resolve(target, `${NAME}.gguf`), await exportGguf(source, ENCODING, NAME));
  await writeFile(resolve(target, `mmproj-${NAME}.gguf`), await exportProjector(source, ENCODING));
  const { contextWindow } = readArchitecture(resolve(source, "architecture.json"));
  const facts = { created: CREATED, ownedBy: "infetch", licence: "apache-2.0", baseModel: NAME };
  await writeManifest(target, { ...facts, contextWindow });
}
