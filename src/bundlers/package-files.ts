/** The package's files that a page loads by URL, for the bundler plugins and `infetch copy`. Runs in Node. */

import { readdir } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** An engine whose files an app can leave out. */
export type EngineFiles = "webllm" | "llamacpp" | "transformers";

const ENGINES: readonly string[] = ["webllm", "llamacpp", "transformers"] satisfies EngineFiles[];

/** Files that only one engine loads, by path in the package's `dist` folder; all others belong to every app. */
const ONLY_FOR: [RegExp, EngineFiles][] = [
  [/^worker\/webllm\.js$/, "webllm"],
  [
    /^models\/infetch-tiny\/(params_shard_\d+\.bin|model-library\.wasm|mlc-chat-config\.json|tensor-cache\.json)$/,
    "webllm",
  ],
  [/^(worker\/llamacpp\.js$|llamacpp\/)/, "llamacpp"],
  [/^models\/infetch-tiny(-vision)?\/[^/]+\.gguf$/, "llamacpp"],
  [/^(worker\/transformers\.js$|ort\/|models\/infetch-tiny-embed\/)/, "transformers"],
];

const LOADED = /^(worker|models|llamacpp|ort)\//;

/**
 * The `dist` folder of this package: where its built files, this one included, are. Tools that read a configuration as
 * CommonJS, such as Docusaurus, know no other member of `import.meta`.
 */
export const distFolder = dirname(fileURLToPath(import.meta.url));

/**
 * Paths, relative to `dist` and with `/`, of all files that workers and pages load by URL: workers, engines and
 * built-in models, in order. Modules that an app imports are not among them.
 *
 * @param engines the engines to include
 * @param folder the `dist` folder
 * @default engines all
 * @throws {TypeError} for an unknown engine
 */
export async function packageFiles(
  engines: readonly EngineFiles[] = ENGINES as EngineFiles[],
  folder = distFolder,
): Promise<string[]> {
  for (const engine of engines) {
    if (!ENGINES.includes(engine))
      throw new TypeError(`There is no engine "${engine}": use ${ENGINES.join(", ")}.`);
  }
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
    .filter((path) => LOADED.test(path))
    .filter((path) => ONLY_FOR.every(([files, engine]) => !files.test(path) || engines.includes(engine)))
    .sort();
}
