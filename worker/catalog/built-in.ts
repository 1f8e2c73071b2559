/** The models that ship with the package. The build provides file names, sizes and hashes. */

import type { ModelFile } from "../engines/api/types.ts";
import type { ModelRecord } from "./model-record.ts";

export interface BuiltInManifest {
  [modelId: string]: {
    /** Changes with any byte of any file. */
    version: string;
    contextWindow: number;
    /** Unix seconds. */
    created: number;
    /** For web-llm. */
    files: ModelFile[];
    /** For llama.cpp. */
    gguf: ModelFile;
  };
}

/** How thinking is enabled in the built-in chat model. */
export const TINY_REASONING = {
  type: "system-line",
  line: "/think",
  open: "<think>",
  close: "</think>",
} as const;

/** Filled in by the build (`vite.config.ts`, `define`). */
declare const __BUILT_IN_MODELS__: BuiltInManifest;

/** @param modelsURL folder of the built-in models, absolute, with a trailing slash */
export function builtInModels(
  modelsURL: string,
  manifest: BuiltInManifest = __BUILT_IN_MODELS__,
): ModelRecord[] {
  return Object.entries(manifest).map(([id, model]) => ({
    id,
    kind: "chat",
    created: model.created,
    ownedBy: "infetch",
    contextWindow: model.contextWindow,
    maxContextWindow: model.contextWindow,
    downloadBytes: sizeOf(model.files),
    licence: "apache-2.0",
    reasoning: TINY_REASONING,
    builds: {
      webllm: {
        sourceURL: new URL(`${id}/`, modelsURL).href,
        // Not a real host: the URL only identifies the version in the browser's cache.
        cacheURL: `https://infetch.invalid/${id}/${model.version}/resolve/main/`,
        known: model.files,
        library: "model-library.wasm",
      },
      llamacpp: {
        sourceURL: new URL(`${id}/`, modelsURL).href,
        cacheURL: `https://infetch.invalid/${id}/${model.version}/gguf/`,
        parts: [model.gguf],
      },
    },
  }));
}

export function sizeOf(files: readonly ModelFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
