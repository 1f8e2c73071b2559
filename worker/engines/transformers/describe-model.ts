/** Reads an embedding model's small files and refuses what cannot run, before tokenizer and weights are downloaded. */

import type { EmbeddingModel } from "../../engine-api/embedding-model.ts";
import type { EmbeddingFiles } from "./files/embedding-files.ts";
import { dtypesAmong } from "./files/weights-files.ts";
import { type ModuleConfiguration, readModuleConfiguration } from "./modules/module-configuration.ts";
import { withTasks } from "./modules/tasks.ts";
import { UnknownPoolingError } from "./modules/unknown-pooling.ts";
import type { NetworkConfiguration } from "./network-configuration.ts";

/**
 * @throws {EngineError} `unsupported_model` for a model of another kind or without ONNX weights, `unknown_pooling`,
 * `hub_file_not_found`, `model_load_failed`
 */
export async function describeModel(
  model: EmbeddingModel,
  files: EmbeddingFiles,
): Promise<{ configuration: NetworkConfiguration; modules: ModuleConfiguration }> {
  let configuration = (await files.json("config.json")) as NetworkConfiguration | undefined;
  if (!configuration && !(await files.json("modules.json"))) throw files.absent("config.json");
  const modules = await readModuleConfiguration(model, configuration ?? {}, (name) => files.json(name)).catch(
    (error: unknown) => {
      throw error instanceof UnknownPoolingError
        ? files.missing(error.file, error.message, error.code, { param: "model" })
        : error;
    },
  );
  requireWeights(model, files);
  if (modules.staticFolder !== undefined) await provideForStatic(modules.staticFolder, files);
  else if (!configuration && modules.transformerFolder !== undefined)
    configuration = await provideFrom(modules.transformerFolder, files);
  else if (!configuration) throw files.absent("config.json");
  // The library remembers until its worker ends that this file is missing or could not be fetched.
  if (!(await files.json("tokenizer_config.json"))) throw files.absent("tokenizer_config.json");
  const arePrefixesStated = model.prefixes !== undefined;
  return {
    configuration: configuration ?? {},
    modules: withTasks(modules, configuration, arePrefixesStated),
  };
}

/** @throws {EngineError} `unsupported_model` if no file has the weights of a network that makes vectors */
function requireWeights(model: EmbeddingModel, files: EmbeddingFiles): void {
  if (!files.isListed || dtypesAmong(files.known).length > 0) return;
  const name = model.hub?.repository ?? model.id;
  const others = files.known.map((file) => file.name).filter((file) => file.endsWith(".onnx"));
  const what =
    others.length === 0
      ? "has no ONNX weights (.onnx)"
      : `has no ONNX weights of one network that makes vectors (model.onnx, or one of another name): its files are ${others.slice(0, MAX_LISTED).join(", ")}`;
  throw files.missing(
    "onnx/model.onnx",
    `The model '${name}' ${what}. Look for a conversion of it, for example by onnx-community or Xenova.`,
    "unsupported_model",
    { param: "model" },
  );
}

/** Files that a message names. */
const MAX_LISTED = 6;

/** Before its version 0.4, sentence-transformers saved the files of the network in a folder (`0_Transformer`). */
async function provideFrom(folder: string, files: EmbeddingFiles): Promise<NetworkConfiguration> {
  for (const name of ["config.json", "tokenizer_config.json", "tokenizer.json"]) {
    const file = await files.fetch(`${folder}/${name}`);
    if (file.ok) files.provide(name, await file.text());
  }
  const configuration = await files.json("config.json");
  if (!configuration) throw files.absent("config.json");
  return configuration;
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
