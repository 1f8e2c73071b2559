/** Reads the files of a sentence-transformers module that has weights of its own. */

import { isObject } from "../../../../src/shared/is-object.ts";
import { EngineError } from "../../../engine-api/engine-error.ts";
import type { EmbeddingFiles } from "../files/embedding-files.ts";
import { readTensor } from "./safetensors.ts";

/** Maps the vector of a text to another, of any length. */
export type VectorStep = (vector: Float64Array) => Float64Array;

/** A module whose vectors follow the pooling. */
export interface ModuleFiles {
  configuration: Readonly<Record<string, unknown>>;
  /** An error about its `config.json`: what is wrong with it. */
  unusable(why: string): EngineError;
  /** An error about its `config.json`: a computation that is not supported, in no precision of the weights. */
  unsupported(what: string): EngineError;
  /**
   * Reads `model.safetensors`.
   *
   * @returns a function for the numbers of one tensor, which throws if they are missing
   */
  weights(): Promise<(name: string, shape: number[]) => Float32Array>;
}

/**
 * Reads `config.json` of a module.
 *
 * @param kind for messages
 * @param folder of the module, without a trailing slash
 * @throws {EngineError} `model_load_failed`, or `unsupported_model` also for a missing file
 */
export async function openModule(
  id: string,
  kind: string,
  folder: string,
  files: EmbeddingFiles,
): Promise<ModuleFiles> {
  const configurationFile = `${folder}/config.json`;
  const weightsFile = `${folder}/model.safetensors`;
  const unusable = (name: string, why: string): EngineError =>
    new EngineError("model_load_failed", `${id} cannot be used: ${why} (${files.addressOf(name)}).`);
  const missing = (name: string): EngineError => {
    const why = `its ${kind} module needs ${files.addressOf(name)}, which was not found`;
    return files.missing(name, `${id} cannot be run: ${why}.`, "unsupported_model", { param: "model" });
  };
  const configuration = await files.json(configurationFile);
  if (!configuration) throw missing(configurationFile);
  return {
    configuration: isObject(configuration) ? configuration : {},
    unusable: (why) => unusable(configurationFile, why),
    unsupported: (what) => {
      const { message } = unusable(configurationFile, `${what} of its ${kind} module is not supported`);
      return new EngineError("unsupported_model", message, { param: "model" });
    },
    async weights() {
      const response = await files.fetch(weightsFile);
      if (!response.ok) throw missing(weightsFile);
      const bytes = await response.arrayBuffer();
      return (name, shape) => {
        try {
          const numbers = readTensor(bytes, name, shape);
          if (numbers) return numbers;
        } catch (error) {
          throw unusable(weightsFile, error instanceof Error ? error.message : String(error));
        }
        throw unusable(weightsFile, `it has no '${name}'`);
      };
    },
  };
}
