import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { build } from "vite";
import { engineBuild } from "../../../scripts/build/engine-build.ts";
import { moduleConfig } from "../../../vite.config.ts";

const outDir = resolve(import.meta.dirname, "../../../.build/single-engine");
let built: Promise<unknown> | undefined;

/** Source of the engine worker that always drives web-llm's chat API; built when first asked for. */
export async function singleEngineWorker(): Promise<Buffer> {
  const config = moduleConfig(
    "test/support/single-engine/worker.ts",
    "webllm",
    engineBuild("@mlc-ai/web-llm"),
  );
  const plugin = {
    name: "infetch-for-side-effects",
    // package.json's `sideEffects` covers only published files.
    transform: (_: string, id: string) =>
      id.includes("/node_modules/") ? undefined : { moduleSideEffects: true },
  };
  const plugins = [...(config.plugins ?? []), plugin];
  built ??= build({ ...config, plugins, build: { ...config.build, outDir } });
  await built;
  return readFile(resolve(outDir, "webllm.js"));
}
