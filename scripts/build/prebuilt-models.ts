/** Chat models for which web-llm has libraries, generated from its own list. */

import { prebuiltAppConfig } from "@mlc-ai/web-llm";
import type { PrebuiltManifest, PrebuiltRow } from "../../worker/catalog/prebuilt.ts";

const LIBRARY_END = "-webgpu.wasm";
const USUAL_CONTEXT = 4096;

/**
 * @throws {Error} if the list no longer has its compact form: one folder of libraries, and models named like their
 *   repositories
 */
export function prebuiltModels(): PrebuiltManifest {
  // `model_type` marks embedding models, which need web-llm's own pipeline, and vision models; "-1k" variants are the
  // same repository with a smaller context.
  const listed = prebuiltAppConfig.model_list.filter(
    ({ model_id, model_type }) => !model_type && !model_id.endsWith("-1k"),
  );
  const libraries = listed[0]!.model_lib.replace(/[^/]+$/, "");
  const models = listed.map((listedModel): PrebuiltRow => {
    const { model, model_id, model_lib, vram_required_MB, overrides } = listedModel;
    const { buffer_size_required_bytes: bufferBytes } = listedModel;
    if (model !== `https://huggingface.co/mlc-ai/${model_id}` || !model_id.endsWith("-MLC"))
      throw new Error(`${model_id} is not named as its repository: ${model}`);
    if (!model_lib.startsWith(libraries) || !model_lib.endsWith(LIBRARY_END))
      throw new Error(`The library of ${model_id} lies elsewhere: ${model_lib}`);
    const name = model_id.slice(0, -"-MLC".length);
    const library = model_lib.slice(libraries.length, -LIBRARY_END.length);
    const { context_window_size, ...rest } = { ...overrides };
    const memoryMB = Math.round(vram_required_MB ?? 0);
    const shortLibrary = library === `${name}_cs1k` ? 0 : library;
    const row = [name, memoryMB, shortLibrary, context_window_size ?? USUAL_CONTEXT] as const;
    const more = rest as Record<string, number>;
    if (bufferBytes !== undefined) return [...row, more, bufferBytes];
    return Object.keys(more).length > 0 ? [...row, more] : [...row];
  });
  return { libraries, models };
}
