/** Chooses the build of a listed model by the graphics card. */

import type { GPUFault } from "../../engine-api/gpu-adapter.ts";
import type { CatalogRecord } from "../model-record.ts";

/**
 * The model with the build that this adapter can run. Without an adapter, or for a model with one build, it is
 * unchanged: `chooseEngine` reports what is missing.
 */
export function forDevice<Model extends CatalogRecord>(model: Model, found: GPUAdapter | GPUFault): Model {
  if (model.kind === "embedding" || !model.withoutF16 || "reason" in found) return model;
  if (model.engine === "llamacpp") return model;
  const { withoutF16, builds } = model;
  if (!builds.webllm || found.features.has("shader-f16")) return model;
  const { hubName: baseModel, memoryBytes, files } = withoutF16;
  const webllm = { ...builds.webllm, ...files, insteadBecause: "adapter lacks shader-f16" };
  return { ...model, baseModel, memoryBytes, builds: { ...builds, webllm } };
}

/** Asks for the adapter once; after a failure, a later call asks again. */
export function rememberAdapter(
  find: () => Promise<GPUAdapter | GPUFault>,
): () => Promise<GPUAdapter | GPUFault> {
  let asked: Promise<GPUAdapter | GPUFault> | undefined;
  return () => {
    asked ??= find().then((found) => {
      if ("reason" in found) asked = undefined;
      return found;
    });
    return asked;
  };
}
