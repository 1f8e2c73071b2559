/** The modules of sentence-transformers that follow the pooling. */

import { isCount } from "../counts.ts";
import type { EmbeddingFiles } from "../files/embedding-files.ts";
import { readDenseLayer } from "./dense-layer.ts";
import type { ModuleStep } from "./module-list.ts";
import { openModule, type VectorStep } from "./module-weights.ts";
import { toUnitLength } from "./pooling.ts";

/** `epsilon` of PyTorch's LayerNorm, which the module does not change. */
const EPSILON = 1e-5;

/** @throws {EngineError} `model_load_failed`, `unsupported_model` */
export function readStep(
  id: string,
  { kind, folder }: ModuleStep,
  files: EmbeddingFiles,
): VectorStep | Promise<VectorStep> {
  if (kind === "Normalize") return toUnitLength;
  return kind === "Dense" ? readDenseLayer(id, folder, files) : readLayerNorm(id, folder, files);
}

async function readLayerNorm(id: string, folder: string, files: EmbeddingFiles): Promise<VectorStep> {
  const module = await openModule(id, "LayerNorm", folder, files);
  const { dimension } = module.configuration;
  if (!isCount(dimension)) throw module.unusable("its LayerNorm module does not say its dimension");
  const read = await module.weights();
  const weight = read("norm.weight", [dimension]);
  const bias = read("norm.bias", [dimension]);
  return (vector) => {
    if (vector.length !== dimension)
      throw module.unusable(`its LayerNorm module takes ${dimension} numbers, not ${vector.length}`);
    const mean = vector.reduce((sum, value) => sum + value, 0) / dimension;
    const variance = vector.reduce((sum, value) => sum + (value - mean) ** 2, 0) / dimension;
    const scale = 1 / Math.sqrt(variance + EPSILON);
    return vector.map((value, at) => (value - mean) * scale * weight[at]! + bias[at]!);
  };
}
