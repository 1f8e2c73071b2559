/**
 * `npm run build`: models → workers and page entry → types → pages. What is built replaces the previous build at its end,
 * by renames: tests and servers that use that one meanwhile miss no file.
 */

import { cp, writeFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { basename, resolve } from "node:path";
import { build, type InlineConfig, mergeConfig } from "vite";
import {
  clientConfig,
  distFolder,
  LAZY_PARTS,
  moduleConfig,
  pageConfig,
  splitConfig,
} from "../vite.config.ts";
import { TINY_REASONING } from "../worker/catalog/built-in.ts";
import { buildChatModel, modelsFolder } from "./build/chat-model.ts";
import { buildEmbeddingModel, copyOnnxRuntime } from "./build/embedding-model.ts";
import { engineBuild } from "./build/engine-build.ts";
import { buildStamp } from "./build/ensure-built.ts";
import { copyLlamaCpp } from "./build/llamacpp.ts";
import { writeNotice } from "./build/notice.ts";
import { buildOffline } from "./build/offline.ts";
import { prebuiltModels } from "./build/prebuilt-models.ts";
import { Staging } from "./build/staging.ts";
import { buildVisionModel, VISION_MODEL } from "./build/vision-model.ts";
import { writeManifest } from "./model-manifest/write-manifest.ts";
import { run } from "./shared/run.ts";

/** External to the modules that run in Node. */
const NODE_MODULES = builtinModules.map((name) => `node:${name}`);

/** Entries that Vite must serve from their own folder: it pre-bundles dependencies that end in `.js`, not in `.jsx`. */
const UNBUNDLED = ["index", "port"];

const root = resolve(import.meta.dirname, "..");

async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const startedAtMs = performance.now();
  process.stdout.write(`build: ${name} … `);
  const result = await work();
  process.stdout.write(`${((performance.now() - startedAtMs) / 1000).toFixed(1)} s\n`);
  return result;
}

const library: InlineConfig[] = [];
const manifest = await step("chat model", buildChatModel);
const embedding = await step("embedding model", buildEmbeddingModel);
manifest[VISION_MODEL] = await step("vision model", buildVisionModel);
// Manifests let the folders be hosted elsewhere without further description.
await step("model manifests", async () => {
  const facts = { created: manifest["infetch-tiny"]!.created, ownedBy: "infetch", licence: "apache-2.0" };
  const { type: _, ...reasoning } = TINY_REASONING;
  await writeManifest(resolve(modelsFolder, "infetch-tiny"), {
    ...facts,
    baseModel: "infetch-tiny",
    reasoning,
  });
  const { maxTokens, shortestDimensions } = embedding.manifest;
  await writeManifest(resolve(modelsFolder, "infetch-tiny-embed"), {
    ...facts,
    contextWindow: maxTokens,
    embedding: {
      pooling: "mean",
      normalize: true,
      shortestDimensions,
      dtypes: { webgpu: ["fp32"], wasm: ["fp32"] },
    },
  });
});
const define = {
  __BUILT_IN_MODELS__: JSON.stringify(manifest),
  __BUILT_IN_EMBEDDING__: JSON.stringify(embedding.manifest),
  __BUILT_IN_REFERENCE__: JSON.stringify(embedding.reference),
  __PREBUILT_MODELS__: JSON.stringify(prebuiltModels()),
};
library.push(
  clientConfig("src/index.ts", "index"),
  ...LAZY_PARTS.map((path) => moduleConfig(path, basename(path, ".ts"))),
  moduleConfig("src/install.ts", "install"),
  clientConfig("src/service-worker/index.ts", "service-worker"),
  clientConfig("src/service-worker/standalone.ts", "worker/service-worker"),
  moduleConfig("src/tabs/broker-worker.ts", "worker/broker"),
  moduleConfig("src/port/index.ts", "port", {}, ["comlink"]),
  splitConfig(
    moduleConfig("worker/server/start.ts", "worker/server", define),
    "worker/server/start.ts",
    "worker/server",
  ),
  moduleConfig("worker/generation/schemas/worker.ts", "worker/schemas"),
  moduleConfig("worker/generation/images/worker.ts", "worker/images"),
  moduleConfig("scripts/model-manifest/main.ts", "model-manifest", {}, NODE_MODULES),
  moduleConfig("src/bundlers/vite.ts", "vite", {}, NODE_MODULES),
  moduleConfig("src/bundlers/webpack.ts", "webpack", {}, NODE_MODULES),
  moduleConfig("src/bundlers/webpack-loader.ts", "webpack-loader", {}, NODE_MODULES),
  moduleConfig("src/bundlers/cli.ts", "cli", {}, NODE_MODULES),
  moduleConfig("worker/engines/webllm/worker.ts", "worker/webllm", engineBuild("@mlc-ai/web-llm")),
  moduleConfig("worker/engines/llamacpp/worker.ts", "worker/llamacpp", engineBuild("@wllama/wllama")),
  moduleConfig("worker/engines/transformers/worker.ts", "worker/transformers"),
);
const staging = new Staging(resolve(root, `.build/next-${process.pid}`));
process.once("exit", () => staging.delete());
const dist = await staging.folder(distFolder);
await step("library", async () => {
  for (const config of library) await build(mergeConfig(config, { build: { outDir: dist } }));
  for (const name of UNBUNDLED)
    await writeFile(resolve(dist, `${name}.jsx`), `export * from "./${name}.js";\n`);
  writeNotice();
  await cp(modelsFolder, resolve(dist, "models"), { recursive: true });
  await copyOnnxRuntime(resolve(dist, "ort"));
  await copyLlamaCpp(resolve(dist, "llamacpp"));
});
await step("types", () =>
  run("npx", ["tsc", "-p", "tsconfig.types.json", "--outDir", resolve(dist, "types")], root),
);
await step("pages", async () => {
  const host = await staging.folder(resolve(root, ".build/host"));
  await build({ configFile: false, ...pageConfig("scripts/host", host) });
  const demo = await staging.folder(resolve(root, ".build/demo"));
  await build({ configFile: false, ...pageConfig("demo", demo) });
  await cp(dist, resolve(demo, "infetch"), { recursive: true });
  await buildOffline(demo);
});
await staging.replace();
await writeFile(buildStamp, "");
