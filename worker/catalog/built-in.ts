/** The models that ship with the package. The build provides file names, sizes and hashes. */

import { totalBytes } from "../engine-api/byte-sizes.ts";
import type { ChatBuilds, ModelFile } from "../engine-api/model-files.ts";
import type { ChatModelRecord, ReasoningStyle } from "./model-record.ts";

export interface BuiltInManifest {
  [modelId: string]: {
    /** Changes with any byte of any file. */
    version: string;
    contextWindow: number;
    /** Unix seconds. */
    created: number;
    /** Absent for a model that does not think. */
    reasoning?: ReasoningStyle;
    /** What its template supports. @default as the family of its name */
    abilities?: { tools: boolean; reasoning: boolean };
    /** For web-llm; absent if llama.cpp alone runs it. */
    files?: ModelFile[];
    /** For llama.cpp. */
    gguf: ModelFile;
    /** Turns images into tokens, for llama.cpp. */
    projector?: ModelFile;
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
): ChatModelRecord[] {
  return Object.entries(manifest).map(([id, model]) => ({
    id,
    kind: "chat",
    created: model.created,
    ownedBy: "infetch",
    contextWindow: model.contextWindow,
    maxContextWindow: model.contextWindow,
    downloadBytes: totalBytes(model.files ?? ggufFiles(model)),
    licence: "apache-2.0",
    ...(model.reasoning ? { reasoning: model.reasoning } : {}),
    ...(model.abilities ? { abilities: model.abilities } : {}),
    builds: buildsOf(id, model, new URL(`${id}/`, modelsURL).href),
  }));
}

function buildsOf(id: string, model: BuiltInManifest[string], sourceURL: string): ChatBuilds {
  const { version, files, gguf, projector } = model;
  // Not a real host: the URL only identifies the version in the browser's cache.
  const folder = `https://infetch.invalid/${id}/${version}/`;
  const webllm = { sourceURL, cacheURL: `${folder}resolve/main/`, library: "model-library.wasm" };
  return {
    ...(files ? { webllm: { ...webllm, known: files } } : {}),
    llamacpp: {
      sourceURL,
      cacheURL: `${folder}gguf/`,
      parts: [gguf],
      ...(projector ? { projector } : {}),
    },
  };
}

function ggufFiles({ gguf, projector }: BuiltInManifest[string]): ModelFile[] {
  return projector ? [gguf, projector] : [gguf];
}
