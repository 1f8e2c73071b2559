/**
 * Builds the model library (.wasm) that web-llm loads for a chat model.
 *
 *   npx tsx models/library/build.ts [architecture.json] [out.wasm]
 *
 * or import `buildModelLibrary` or `assembleModel`. The same input always gives the same bytes.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Architecture, validateArchitecture } from "./generator/architecture.ts";
import { cached } from "./generator/cache.ts";
import { compileLibrary } from "./generator/compile.ts";
import { generateConstants } from "./generator/generate.ts";
import { readKernels } from "./generator/kernels.ts";

export { type Architecture, listParameters, type Parameter } from "./generator/architecture.ts";

interface BuildOptions {
  architecture: Architecture;
  /** Path of the .wasm file; missing folders are created. */
  outFile: string;
}

/** Compiles the library, or reads it from `.build/model-library/`, and writes it. Returns its size in bytes. */
export async function buildModelLibrary({ architecture, outFile }: BuildOptions): Promise<{ bytes: number }> {
  validateArchitecture(architecture);
  const generated = generateConstants(architecture, readKernels(architecture));
  const binary = await cached(generated, compileLibrary);
  mkdirSync(dirname(outFile), { recursive: true });
  writeFileSync(outFile, binary);
  return { bytes: binary.length };
}

export function readArchitecture(file: string): Architecture {
  return JSON.parse(readFileSync(file, "utf8")) as Architecture;
}

interface AssembleOptions {
  /** A folder like models/tiny-chat: architecture.json, mlc-chat-config.json, tensor-cache.json, shards, tokenizer.json. */
  modelDirectory: string;
  outDirectory: string;
}

/**
 * Writes a model in the layout that web-llm fetches: weights, tokenizer and config in `resolve/main/`, which
 * web-llm appends to the model's URL, and `library.wasm` beside that folder. Returns the path of the library.
 */
export async function assembleModel({ modelDirectory, outDirectory }: AssembleOptions): Promise<string> {
  const outFile = join(outDirectory, "library.wasm");
  const architecture = readArchitecture(join(modelDirectory, "architecture.json"));
  await buildModelLibrary({ architecture, outFile });
  const config = JSON.parse(readFileSync(join(modelDirectory, "mlc-chat-config.json"), "utf8")) as {
    tokenizer_files: string[];
  };
  const cache = JSON.parse(readFileSync(join(modelDirectory, "tensor-cache.json"), "utf8")) as {
    records: { dataPath: string }[];
  };
  const files = [
    "mlc-chat-config.json",
    "tensor-cache.json",
    ...config.tokenizer_files,
    ...cache.records.map((shard) => shard.dataPath),
  ];
  for (const file of files) cpSync(join(modelDirectory, file), join(outDirectory, "resolve/main", file));
  return outFile;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const here = fileURLToPath(new URL(".", import.meta.url));
  const architectureFile = process.argv[2] ?? join(here, "../tiny-chat/architecture.json");
  const outFile = process.argv[3] ?? join(here, "../../.build/model-library/infetch-tiny.wasm");
  const startedAtMs = performance.now();
  const { bytes } = await buildModelLibrary({ architecture: readArchitecture(architectureFile), outFile });
  console.log(`${outFile}: ${bytes} bytes in ${Math.round(performance.now() - startedAtMs)} ms`);
}
