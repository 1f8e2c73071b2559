/** Chat models for which web-llm has libraries, generated from its own list. */

import { isDeepStrictEqual } from "node:util";
import { prebuiltAppConfig } from "@mlc-ai/web-llm";
import { type PrebuiltManifest, type PrebuiltModel, USUAL } from "../../worker/catalog/chat/prebuilt.ts";

const LIBRARY = /^(.+)-(q\w+)_(cs\w+)-webgpu\.wasm$/;

/**
 * @throws {Error} if the list no longer has its compact form: one folder of libraries, models named like their
 *   repositories, and quantizations of a model that differ in their memory only
 */
export function prebuiltModels(): PrebuiltManifest {
  // `model_type` marks embedding models, which need web-llm's own pipeline, and vision models; "-1k" variants are the
  // same repository with a smaller context.
  const listed = prebuiltAppConfig.model_list.filter(
    ({ model_id, model_type }) => !model_type && !model_id.endsWith("-1k"),
  );
  const libraries = listed[0]!.model_lib.replace(/[^/]+$/, "");
  const models: Record<string, PrebuiltModel> = {};
  for (const {
    model,
    model_id,
    model_lib,
    vram_required_MB,
    overrides,
    buffer_size_required_bytes,
  } of listed) {
    const [, name, quantization] = /^(.+)-(q\w+)-MLC$/.exec(model_id) ?? [];
    if (!name || !quantization || model !== `https://huggingface.co/mlc-ai/${model_id}`)
      throw new Error(`${model_id} is not named as its repository: ${model}`);
    const [, library, ofQuantization, variant] = LIBRARY.exec(model_lib.slice(libraries.length)) ?? [];
    if (!model_lib.startsWith(libraries) || !library || !variant || ofQuantization !== quantization)
      throw new Error(`The library of ${model_id} lies elsewhere: ${model_lib}`);
    const { context_window_size: contextWindow = USUAL.contextWindow, ...rest } = { ...overrides };
    const others = {
      ...(library === name ? {} : { library }),
      ...(variant === USUAL.variant ? {} : { variant }),
      ...(contextWindow === USUAL.contextWindow ? {} : { contextWindow }),
      ...(Object.keys(rest).length === 0 ? {} : { overrides: rest as Record<string, number> }),
      ...(buffer_size_required_bytes === undefined ? {} : { bufferBytes: buffer_size_required_bytes }),
    };
    const { memoryMB = {}, ...same } = models[name] ?? {};
    if (models[name] && !isDeepStrictEqual(same, others))
      throw new Error(`${model_id} differs from other quantizations in more than its memory.`);
    models[name] = {
      memoryMB: { ...memoryMB, [quantization]: Math.round(vram_required_MB ?? 0) },
      ...others,
    };
  }
  return { libraries, models };
}
