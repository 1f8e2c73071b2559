/** Builds of the library (page entry and workers) and of the demo. `scripts/build.ts` runs them in order. */

import { readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { defaultClientConditions, type InlineConfig, mergeConfig, type Plugin, type UserConfig } from "vite";
import { noteBundledPackages } from "./scripts/build/notice.ts";

const root = import.meta.dirname;
export const { version } = JSON.parse(readFileSync(resolve(root, "package.json"), "utf8"));
export const distFolder = resolve(root, "dist");

/** Uses ONNX Runtime without its embedded loader, which starts threads from the bundle and names its files itself. */
const conditions = ["onnxruntime-web-use-extern-wasm", ...defaultClientConditions];

/**
 * Removes the worker script that wllama embeds as text: `scripts/build/llamacpp.ts` writes it to a file.
 *
 * @throws {Error} if this version of wllama stores it elsewhere
 */
const withoutWorkerText: Plugin = {
  name: "infetch-without-worker-text",
  transform(code, id) {
    if (!id.includes("@wllama/wllama/esm/index.js")) return null;
    const texts = /^var (LLAMA_CPP_WORKER_CODE|WLLAMA_EMSCRIPTEN_CODE) = .+;$/gm;
    if (code.match(texts)?.length !== 2) throw new Error("wllama's worker text is not where it was.");
    return { code: code.replace(texts, 'var $1 = "";'), map: null };
  },
};

/** Parts of the page entry that only errors, or images, need. */
export const LAZY_PARTS = [
  "src/options/setup-errors.ts",
  "src/protocol/assets/asset-fault.ts",
  "src/fetch/blob-images.ts",
];

/**
 * Builds `LAZY_PARTS` as separate files with their own copies of shared code: a shared chunk would add
 * exports to the entry.
 */
const lazyPartsApart: Plugin = {
  name: "infetch-lazy-parts-apart",
  enforce: "pre",
  resolveId(id, importer, { kind }: { kind?: string }) {
    if (!importer || kind !== "dynamic-import") return undefined;
    const part = LAZY_PARTS.find((path) => resolve(dirname(importer), id) === resolve(root, path));
    return part && { id: `./${basename(part, ".ts")}.js`, external: true };
  },
};

/** One self-contained ES module: `entry` becomes `dist/<name>.js`. Only `external` packages stay imports. */
export function moduleConfig(
  entry: string,
  name: string,
  define: Record<string, string> = {},
  external: string[] = [],
): InlineConfig {
  return {
    configFile: false,
    root,
    logLevel: "warn",
    plugins: [noteBundledPackages, withoutWorkerText, lazyPartsApart],
    resolve: { conditions },
    define: {
      "process.env.NODE_ENV": '"production"',
      __PACKAGE_VERSION__: JSON.stringify(version),
      ...define,
    },
    build: {
      outDir: distFolder,
      emptyOutDir: false,
      copyPublicDir: false,
      target: "es2022",
      minify: true,
      chunkSizeWarningLimit: 10_000,
      lib: { entry: resolve(root, entry), formats: ["es"], fileName: () => `${name}.js` },
      rolldownOptions: {
        external,
        // A slow machine is no reason for a warning.
        checks: { bundlerTimings: false },
        // Vite keeps whitespace and annotations of ES libraries for bundlers, which drop nothing of these modules.
        output: { codeSplitting: false, minify: true, comments: { annotation: false } },
      },
    },
  };
}

interface Chunk {
  name: string;
  facadeModuleId?: string | null | undefined;
}

/** Every endpoint has a `handler.ts`, so its chunk is named after the folder. */
function partName({ name, facadeModuleId }: Chunk): string {
  return name === "handler" && facadeModuleId ? `${basename(dirname(facadeModuleId))}-handler` : "[name]";
}

/**
 * Removes comlink's handler of functions that are passed as arguments, and with it the half of comlink that answers
 * calls: a module that only calls needs neither.
 *
 * @throws {Error} if this version of comlink registers it otherwise
 */
const withoutComlinkProxies: Plugin = {
  name: "infetch-without-comlink-proxies",
  transform(code, id) {
    if (!id.endsWith("/comlink.mjs")) return null;
    const handler = '["proxy", proxyTransferHandler],';
    if (!code.includes(handler)) throw new Error("comlink's handler of functions is not where it was.");
    return { code: code.replace(handler, ""), map: null };
  },
};

/** A module that calls the server, and exposes nothing itself. */
export function clientConfig(entry: string, name: string): InlineConfig {
  return mergeConfig(moduleConfig(entry, name), { plugins: [withoutComlinkProxies] });
}

/** What starts the workers of models, schemas and images. */
const STARTS_WORKERS =
  /\/(src\/protocol\/(assets\/start-worker|liveness\/lifetime)|worker\/engines\/scheduling\/(engine|load-in|tokenize-in)-worker)\.ts$/;

/** `config` with dynamic imports in separate files named `<name>-<part>-<hash>.js`. */
export function splitConfig(config: InlineConfig, entry: string, name: string): InlineConfig {
  const options = config.build?.rolldownOptions;
  // Shared code gets its own chunk: WebKit evaluates a worker's script again when a module imports it.
  const core = staticImportsOf(resolve(root, entry));
  const output = {
    ...options?.output,
    chunkFileNames: (chunk: Chunk) => `${name}-${partName(chunk)}-[hash].js`,
    codeSplitting: {
      groups: [
        { name: (id: string, modules: Modules) => (core(modules).has(id) ? "core" : null) },
        // Several endpoints share these small files: one request loads all.
        { name: (id: string) => (id.includes("/worker/endpoints/params/") ? "shared-params" : null) },
        // One file, so that a page does not find a second one only in the first.
        { name: (id: string) => (STARTS_WORKERS.test(id) ? "start-worker" : null) },
      ],
    },
  };
  const rolldownOptions = { ...options, preserveEntrySignatures: "strict" as const, output };
  const plugins = config.plugins?.filter((plugin) => plugin !== lazyPartsApart) ?? [];
  return { ...config, plugins, build: { ...config.build, rolldownOptions } };
}

interface Modules {
  getModuleInfo(id: string): { importedIds: string[] } | null;
}

/** Transitive static imports of `entry`, computed once. */
function staticImportsOf(entry: string): (modules: Modules) => Set<string> {
  const found = new Set<string>();
  return (modules) => {
    const add = (id: string): void => {
      for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) {
        // zod's index lists its locales, of which only parts use one.
        if (found.has(imported) || imported.includes("/zod/v4/locales/")) continue;
        found.add(imported);
        add(imported);
      }
    };
    if (found.size === 0) add(entry);
    return found;
  };
}

/**
 * A page that uses the built package as an app does: from `infetch/` beside it, with workers and models as
 * shipped. Its own files are bundled at the root of `outDir`, so that it works under any path.
 */
export function pageConfig(folder: string, outDir: string): UserConfig {
  const builtPackage: Plugin = {
    name: "infetch-built-package",
    enforce: "pre",
    resolveId: (id) => (id === "infetch" ? { id: "./infetch/index.js", external: true } : undefined),
  };
  return {
    root: resolve(root, folder),
    base: "./",
    publicDir: false,
    logLevel: "warn",
    plugins: [builtPackage],
    build: {
      outDir: resolve(root, outDir),
      emptyOutDir: true,
      target: "es2022",
      assetsDir: "",
      modulePreload: false,
      chunkSizeWarningLimit: 1_000,
    },
  };
}
