/** Reads an embedding model's small files and refuses what cannot run, before tokenizer and weights are downloaded. */

import type { EngineError } from "../api/engine-error.ts";
import type { EmbeddingModel } from "../api/types.ts";
import type { ModelStore } from "./model-store.ts";
import { type ModuleConfiguration, readModuleConfiguration } from "./module-configuration.ts";

/** The fields of `config.json` that are used here. */
export interface ModelConfiguration {
  architectures?: readonly string[];
  vocab_size?: number;
  hidden_size?: number;
  max_position_embeddings?: number;
}

/**
 * @throws {EngineError} `unsupported_model` for a model of another kind or without ONNX weights, `unknown_pooling`,
 * `model_load_failed`
 */
export async function describeModel(
  model: EmbeddingModel,
  store: ModelStore,
): Promise<{ configuration: ModelConfiguration; modules: ModuleConfiguration }> {
  const configuration = (await store.json("config.json")) as ModelConfiguration | undefined;
  if (!configuration) throw store.absent("config.json");
  const modules = await readModuleConfiguration(model, configuration.architectures?.[0], (name) =>
    store.json(name),
  ).catch((error: EngineError) => {
    throw error.code === "unknown_pooling"
      ? store.missing("1_Pooling/config.json", error.message, error.code)
      : error;
  });
  if (!store.mayHave(/^onnx\/.+\.onnx$/)) {
    const name = model.hub?.repository ?? model.id;
    throw store.missing(
      "onnx/model.onnx",
      `The model '${name}' has no ONNX weights (onnx/*.onnx). Look for a conversion of it, for example by onnx-community or Xenova.`,
      "unsupported_model",
    );
  }
  return { configuration, modules };
}
