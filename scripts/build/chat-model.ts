/** Assembles the built-in chat model: trained files, the compiled model library, and a manifest of hashes. */

import { createHash } from "node:crypto";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { exportGguf } from "../../models/gguf/llama-gguf.ts";
import { buildModelLibrary } from "../../models/library/build.ts";
import { type BuiltInManifest, TINY_REASONING } from "../../worker/catalog/built-in.ts";
import type { ModelFile } from "../../worker/engine-api/model-files.ts";

const root = resolve(import.meta.dirname, "../..");

/** Output folders: `<id>/<file>`. */
export const modelsFolder = resolve(root, ".build/models");

const CHAT_FILES = [
  "mlc-chat-config.json",
  "tensor-cache.json",
  "tokenizer.json",
  "tokenizer_config.json",
  "params_shard_0.bin",
];
const GGUF_FILE = "infetch-tiny.gguf";
/** See decision 090 for the trade-offs. */
const GGUF_ENCODING = "q8_0";
/** 2026-11-20: when infetch-tiny was trained. */
const CREATED = 1_795_132_800;

/** Builds `infetch-tiny`; an unchanged model library is not compiled again. */
export async function buildChatModel(): Promise<BuiltInManifest> {
  const source = resolve(root, "models/tiny-chat");
  const target = resolve(modelsFolder, "infetch-tiny");
  await mkdir(target, { recursive: true });
  for (const name of CHAT_FILES) await cp(resolve(source, name), resolve(target, name));
  const architecture = JSON.parse(await readFile(resolve(source, "architecture.json"), "utf8"));
  await buildModelLibrary({ architecture, outFile: resolve(target, "model-library.wasm") });
  await writeFile(resolve(target, GGUF_FILE), await exportGguf(source, GGUF_ENCODING));
  const describe = async (name: string): Promise<ModelFile> => {
    const bytes = await readFile(resolve(target, name));
    return { name, bytes: bytes.byteLength, sha256: createHash("sha256").update(bytes).digest("hex") };
  };
  const files = await Promise.all([...CHAT_FILES, "model-library.wasm"].map(describe));
  const gguf = await describe(GGUF_FILE);
  const version = createHash("sha256")
    .update([...files, gguf].map((file) => file.sha256).join())
    .digest("hex")
    .slice(0, 12);
  const manifest: BuiltInManifest = {
    "infetch-tiny": {
      version,
      contextWindow: architecture.contextWindow,
      created: CREATED,
      reasoning: TINY_REASONING,
      files,
      gguf,
    },
  };
  await writeFile(resolve(modelsFolder, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}
