/** The build of llama.cpp that runs in this browser. */

import type { LlamaCppGPU } from "../../engine-api/model-files.ts";
import { requireWebAssembly } from "../scheduling/with-assets.ts";
import { knownToBuild } from "./known-architectures.ts";
import { llamaFolder, needsCompat, wasmIn } from "./llama-instance.ts";
import type { LlamaBuild } from "./model-files.ts";

/** The build places llama.cpp's files beside the worker folder. In two steps: bundlers look for a file in one. */
export const ASSETS_URL = new URL("../llamacpp/", new URL(import.meta.url)).href;

/** Names and versions, set by the build (`scripts/build.ts`, `define`). */
declare const __ENGINE_BUILD__: string;

/** @throws {EngineError} `assets_not_found` without WebAssembly */
export function llamaBuild(gpu?: LlamaCppGPU): LlamaBuild {
  const wasmURL = wasmIn(llamaFolder(ASSETS_URL));
  requireWebAssembly(wasmURL);
  const name = `${__ENGINE_BUILD__}${needsCompat() ? ", compat" : ""}${gpu ? ", webgpu" : ""}`;
  return { name, knows: knownToBuild(wasmURL) };
}

export function wasmDevice({ threads }: { threads: number }): string {
  return `wasm: ${needsCompat() ? "compatible build, " : ""}${threads} thread${threads > 1 ? "s" : ""}`;
}
