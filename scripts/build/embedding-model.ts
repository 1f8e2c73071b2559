/** Copies the built-in embedding model and the ONNX Runtime files to where the package serves them. */

import { createHash } from "node:crypto";
import { copyFile, cp, mkdir, readFile, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { EmbeddingManifest } from "../../worker/catalog/embeddings/embedding-models.ts";
import type { ReferenceVector } from "../../worker/engine-api/embedding-model.ts";
import { modelsFolder } from "./chat-model.ts";

const root = resolve(import.meta.dirname, "../..");
const source = resolve(root, "models/tiny-embed");

const FILES = ["config.json", "tokenizer.json", "tokenizer_config.json", "onnx/model.onnx"];
/** Read when the model is loaded like a hub model. */
const DESCRIPTION = ["modules.json", "1_Pooling/config.json"];

/** 2026-11-28: when infetch-tiny-embed was trained. */
const CREATED = 1_795_824_000;
/** Shortest prefix with its own training loss (models/training/embedding/train.py). */
const MIN_DIMENSIONS = 32;

/** The smaller WASM build, and the build that supports WebGPU in every browser (decision 021). */
const ONNX_RUNTIME = ["ort-wasm-simd-threaded", "ort-wasm-simd-threaded.asyncify"];

interface ReferenceFile {
  probes: number;
  items: { text: string; vector: number[] }[];
}

/** Copies the model and returns its catalogue entry, with texts and vectors for its self-test. */
export async function buildEmbeddingModel(): Promise<{
  manifest: EmbeddingManifest;
  reference: ReferenceVector[];
}> {
  const target = resolve(modelsFolder, "infetch-tiny-embed");
  // Files of an earlier build would be listed in the manifest and shipped.
  await rm(target, { recursive: true, force: true });
  for (const name of [...FILES, ...DESCRIPTION]) {
    await mkdir(dirname(resolve(target, name)), { recursive: true });
    await cp(resolve(source, name), resolve(target, name));
  }
  const files = await Promise.all(
    FILES.map(async (name) => {
      const bytes = await readFile(resolve(target, name));
      return { name, bytes: bytes.byteLength, sha256: createHash("sha256").update(bytes).digest("hex") };
    }),
  );
  const { items, probes } = await readJson<ReferenceFile>("reference.json");
  const { max_position_embeddings: maxTokens } = await readJson<{ max_position_embeddings: number }>(
    "config.json",
  );
  const hashes = files.map((file) => file.sha256).join();
  return {
    manifest: {
      version: createHash("sha256").update(hashes).digest("hex").slice(0, 12),
      created: CREATED,
      maxTokens,
      shortestDimensions: MIN_DIMENSIONS,
      files,
    },
    reference: items.slice(0, probes).map(({ text, vector }) => ({ text, vector })),
  };
}

/** Copies loaders and WASM files of ONNX Runtime, so that nothing is loaded from a CDN. */
export async function copyOnnxRuntime(target: string): Promise<void> {
  const folder = dirname(fileURLToPath(import.meta.resolve("onnxruntime-web")));
  await mkdir(target, { recursive: true });
  for (const build of ONNX_RUNTIME) {
    for (const extension of ["mjs", "wasm"]) {
      await copyFile(resolve(folder, `${build}.${extension}`), resolve(target, `${build}.${extension}`));
    }
  }
}

async function readJson<T>(name: string): Promise<T> {
  return JSON.parse(await readFile(resolve(source, name), "utf8")) as T;
}
