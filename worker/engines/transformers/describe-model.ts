/** Reads an embedding model's small files and refuses what cannot run, before tokenizer and weights are downloaded. */

import type { EmbeddingModel } from "../api/embedding-model.ts";
import type { EmbeddingFiles } from "./embedding-files.ts";
import { type ModuleConfiguration, readModuleConfiguration } from "./module-configuration.ts";
import { UnknownPoolingError } from "./unknown-pooling.ts";

/** The fields of `config.json` that are used here. */
interface ModelConfiguration {
  architectures?: readonly string[];
  vocab_size?: number;
  hidden_size?: number;
  max_position_embeddings?: number;
  /** Lengths to which vectors may be cut (as in vLLM). */
  matryoshka_dimensions?: readonly number[];
}

/**
 * @throws {EngineError} `unsupported_model` for a model of another kind or without ONNX weights, `unknown_pooling`,
 * `hub_file_not_found`, `model_load_failed`
 */
export async function describeModel(
  model: EmbeddingModel,
  files: EmbeddingFiles,
): Promise<{ configuration: ModelConfiguration; modules: ModuleConfiguration }> {
  const configuration = (await files.json("config.json")) as ModelConfiguration | undefined;
  if (!configuration && !(await files.json("modules.json"))) throw files.absent("config.json");
  const modules = await readModuleConfiguration(model, configuration?.architectures?.[0], (name) =>
    files.json(name),
  ).catch((error: unknown) => {
    throw error instanceof UnknownPoolingError
      ? files.missing(error.file, error.message, error.code, { param: "model" })
      : error;
  });
  if (!files.mayHave(/^onnx\/.+\.onnx$/)) {
    const name = model.hub?.repository ?? model.id;
    throw files.missing(
      "onnx/model.onnx",
      `The model '${name}' has no ONNX weights (onnx/*.onnx). Look for a conversion of it, for example by onnx-community or Xenova.`,
      "unsupported_model",
    );
  }
  if (modules.staticFolder !== undefined) await provideForStatic(modules.staticFolder, files);
  else if (!configuration) throw files.absent("config.json");
  // The library remembers until its worker ends that this file is missing or could not be fetched.
  if (!(await files.json("tokenizer_config.json"))) throw files.absent("tokenizer_config.json");
  return { configuration: configuration ?? {}, modules };
}

/** sentence-transformers saves static embeddings without the files of the transformers library. */
async function provideForStatic(folder: string, files: EmbeddingFiles): Promise<void> {
  for (const name of ["config.json", "tokenizer_config.json"]) {
    if (!(await files.json(name))) files.provide(name, "{}");
  }
  if (folder === "") return;
  const tokenizer = await files.fetch(`${folder}/tokenizer.json`);
  if (tokenizer.ok) files.provide("tokenizer.json", await tokenizer.text());
}
