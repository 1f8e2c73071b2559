/** The Dense modules of sentence-transformers: a linear layer with an activation, between pooling and normalization. */

import { isObject } from "../../../src/protocol/is-object.ts";
import { EngineError } from "../api/engine-error.ts";
import type { EmbeddingFiles } from "./embedding-files.ts";
import { readTensor } from "./safetensors.ts";

/** Maps the pooled vector of a text to another, of any length. */
type DenseLayer = (vector: Float64Array) => Float64Array;

const ACTIVATIONS: Readonly<Record<string, (value: number) => number>> = {
  Identity: (value) => value,
  Tanh: Math.tanh,
  ReLU: (value) => Math.max(0, value),
  Sigmoid: (value) => 1 / (1 + Math.exp(-value)),
};

/**
 * Reads `config.json` and `model.safetensors` of a Dense module.
 *
 * @param folder of the module, without a trailing slash
 * @throws {EngineError} `model_load_failed`, or `unsupported_model` also for a missing file
 */
export async function readDenseLayer(id: string, folder: string, files: EmbeddingFiles): Promise<DenseLayer> {
  const unusable = (name: string, why: string): EngineError =>
    new EngineError("model_load_failed", `${id} cannot be used: ${why} (${files.addressOf(name)}).`);
  const missing = (name: string): EngineError => {
    const why = `its Dense module needs ${files.addressOf(name)}, which was not found`;
    return files.missing(name, `${id} cannot be run: ${why}.`, "unsupported_model", { param: "model" });
  };
  const configurationFile = `${folder}/config.json`;
  const configuration = await files.json(configurationFile);
  if (!configuration) throw missing(configurationFile);
  const { inputs, outputs, hasBias, activation, foreign } = readConfiguration(configuration);
  if (!isCount(inputs) || !isCount(outputs))
    throw unusable(configurationFile, "its Dense module does not say in_features and out_features");
  const unsupported = (what: string): EngineError => {
    const why = `${what} of its Dense module is not supported`;
    return new EngineError("unsupported_model", unusable(configurationFile, why).message, { param: "model" });
  };
  if (foreign) throw unsupported(foreign);
  const activate = Object.hasOwn(ACTIVATIONS, activation) ? ACTIVATIONS[activation] : undefined;
  if (!activate) throw unsupported(`the activation ${activation}`);
  const weightsFile = `${folder}/model.safetensors`;
  const response = await files.fetch(weightsFile);
  if (!response.ok) throw missing(weightsFile);
  const bytes = await response.arrayBuffer();
  const read = (name: string, shape: number[]): Float32Array => {
    try {
      const numbers = readTensor(bytes, name, shape);
      if (numbers) return numbers;
    } catch (error) {
      throw unusable(weightsFile, error instanceof Error ? error.message : String(error));
    }
    throw unusable(weightsFile, `it has no '${name}'`);
  };
  const weight = read("linear.weight", [outputs, inputs]);
  const bias = hasBias ? read("linear.bias", [outputs]) : undefined;
  return (vector) => {
    if (vector.length !== inputs)
      throw unusable(configurationFile, `its Dense module takes ${inputs} numbers, not ${vector.length}`);
    return Float64Array.from({ length: outputs }, (_, row) => {
      let sum = bias?.[row] ?? 0;
      for (let i = 0; i < inputs; i++) sum += weight[row * inputs + i]! * vector[i]!;
      return activate(sum);
    });
  };
}

/** Fields of sentence-transformers 5 whose other values are not supported. */
const USUAL: Readonly<Record<string, unknown>> = {
  use_residual: false,
  module_input_name: "sentence_embedding",
  module_output_name: "sentence_embedding",
};

/** With the defaults of sentence-transformers: a bias, and Tanh. */
function readConfiguration(value: object) {
  const fields = isObject(value) ? value : {};
  return {
    inputs: fields.in_features,
    outputs: fields.out_features,
    hasBias: fields.bias !== false,
    /** A class of torch by its full name. */
    activation: String(fields.activation_function ?? "Tanh")
      .split(".")
      .at(-1)!,
    /** The first field that asks for another computation. */
    foreign: Object.entries(USUAL).find(([name, usual]) => (fields[name] ?? usual) !== usual)?.[0],
  };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
