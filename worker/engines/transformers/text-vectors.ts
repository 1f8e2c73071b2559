/** Makes one vector per text from what a network outputs. */

import type { Tensor } from "@huggingface/transformers";
import type { Pooling } from "../../engine-api/embedding-model.ts";
import { EngineError } from "../../engine-api/engine-error.ts";
import type { EmbeddingFiles } from "./files/embedding-files.ts";
import type { ModuleConfiguration } from "./modules/module-configuration.ts";
import { type HiddenStates, pool, toUnitLength } from "./modules/pooling.ts";
import { readStep } from "./modules/vector-steps.ts";

/** The network's own vector of each text, with every module that follows the tokens. */
const OWN_OUTPUT = "sentence_embedding";
/** The vectors of tokens: the name varies between exports (see the feature-extraction pipeline of transformers.js). */
const TOKEN_OUTPUTS = ["last_hidden_state", "token_embeddings", "text_embeds", "logits"];

export interface NetworkNames {
  inputNames: readonly string[];
  outputNames: readonly string[];
  /** With a number for each dimension that is fixed. */
  inputMetadata?: readonly { name: string; shape?: readonly (number | string)[] }[];
}

/** Whether it takes one text at a time. */
export function hasFixedBatch({ inputMetadata = [] }: Pick<NetworkNames, "inputMetadata">): boolean {
  const ids = inputMetadata.find(({ name }) => name === "input_ids");
  return ids?.shape?.length === 2 && ids.shape[0] === 1;
}

/** Whether it looks up a vector for each token and takes their mean (StaticEmbedding of sentence-transformers, Model2Vec). */
export function isFlat({ inputNames }: Pick<NetworkNames, "inputNames">): boolean {
  return inputNames.includes("offsets");
}

export interface TextVectors {
  /** How the vectors are made. */
  pooling: Pooling;
  /**
   * Releases the outputs.
   *
   * @param lengths token count of each text
   */
  of(output: Record<string, Tensor>, lengths: readonly number[]): Float32Array[];
}

/**
 * Chooses between the network's own output and pooling here, which other modules may follow.
 *
 * @throws {EngineError} `unsupported_model` if neither is right, `model_load_failed`, `hub_file_not_found`
 */
export async function chooseVectors(
  id: string,
  modules: ModuleConfiguration,
  network: NetworkNames,
  files: EmbeddingFiles,
): Promise<TextVectors> {
  const { pooling, of } = await beforeNormalization(id, modules, network, files);
  const finish = (whole: Float64Array): Float32Array => {
    const vector = whole.subarray(0, modules.truncateTo);
    return Float32Array.from(modules.normalize ? toUnitLength(vector) : vector);
  };
  /** Without special tokens, some texts have none. */
  const orZero = (vector: Float32Array, tokens: number) => (tokens === 0 ? vector.fill(0) : vector);
  return {
    pooling,
    of(output, lengths) {
      try {
        return of(output, lengths).map((vector, at) => orZero(finish(vector), lengths[at]!));
      } finally {
        // Decoders also output their caches, which stay on the GPU until they are released.
        for (const tensor of Object.values(output)) if (tensor.location === "gpu-buffer") tensor.dispose();
      }
    },
  };
}

interface UnfinishedVectors {
  pooling: Pooling;
  of(output: Record<string, Tensor>, lengths: readonly number[]): Float64Array[];
}

async function beforeNormalization(
  id: string,
  { pooling, isPoolingStated = false, steps = [] }: ModuleConfiguration,
  network: NetworkNames,
  files: EmbeddingFiles,
): Promise<UnfinishedVectors> {
  const ownOutput = ownOutputOf(network);
  const hasTokens = network.outputNames.some((name) => TOKEN_OUTPUTS.includes(name));
  if (pooling === OWN_OUTPUT || (ownOutput && (!hasTokens || (steps.length > 0 && !isPoolingStated)))) {
    if (!ownOutput) throw noOwnOutput(id);
    return { pooling: OWN_OUTPUT, of: (output, lengths) => rows(output[ownOutput], lengths.length) };
  }
  const layers = await Promise.all(steps.map((step) => readStep(id, step, files)));
  const through = (pooled: Float64Array): Float64Array =>
    layers.reduce((vector, layer) => layer(vector), pooled);
  return {
    pooling,
    of: (output, lengths) => pool(hiddenStates(output, lengths), lengths, pooling).map(through),
  };
}

/** The only output of a network of static embeddings has other names. */
function ownOutputOf(network: NetworkNames): string | undefined {
  return network.outputNames.find((name) => name === OWN_OUTPUT || isFlat(network));
}

function noOwnOutput(id: string): EngineError {
  return new EngineError(
    "unsupported_model",
    `The embedding model ${id} cannot be run: its pooling is '${OWN_OUTPUT}', an output that its ONNX file does not have.`,
    { param: "model" },
  );
}

function rows(tensor: Tensor | undefined, texts: number): Float64Array[] {
  if (tensor?.dims.length !== 2 || tensor.dims[0] !== texts) {
    throw new EngineError("engine_failed", `The model's output '${OWN_OUTPUT}' is no vector for each text.`);
  }
  const dimensions = tensor.dims[1]!;
  const numbers = floats(tensor);
  return Array.from({ length: texts }, (_, at) =>
    Float64Array.from(numbers.subarray(at * dimensions, (at + 1) * dimensions)),
  );
}

function hiddenStates(output: Record<string, Tensor>, lengths: readonly number[]): HiddenStates {
  const tensor = TOKEN_OUTPUTS.map((name) => output[name]).find((found) => found !== undefined);
  if (tensor?.dims.length !== 3) {
    throw new EngineError("engine_failed", "The model outputs no token embeddings.");
  }
  if (tensor.dims[0] !== lengths.length || tensor.dims[1] !== Math.max(1, ...lengths)) {
    throw new EngineError("engine_failed", "The model does not output one vector for each token.");
  }
  return { data: floats(tensor), longest: tensor.dims[1]!, dimensions: tensor.dims[2]! };
}

function floats(tensor: Tensor): Float32Array {
  const { data } = tensor.type === "float32" ? tensor : tensor.to("float32");
  return data as Float32Array;
}
