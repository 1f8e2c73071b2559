/** The Dense modules of sentence-transformers: a linear layer with an activation, between pooling and normalization. */

import { isCount } from "../counts.ts";
import type { EmbeddingFiles } from "../files/embedding-files.ts";
import { type ModuleFiles, openModule, type VectorStep } from "./module-weights.ts";

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
 * @throws as {@link openModule}
 */
export async function readDenseLayer(id: string, folder: string, files: EmbeddingFiles): Promise<VectorStep> {
  const module = await openModule(id, "Dense", folder, files);
  const { inputs, outputs, hasBias, activate, isResidual } = readConfiguration(module);
  const read = await module.weights();
  const weight = read("linear.weight", [outputs, inputs]);
  const bias = hasBias ? read("linear.bias", [outputs]) : undefined;
  const projection =
    isResidual && inputs !== outputs ? read("residual.weight", [outputs, inputs]) : undefined;
  return (vector) => {
    if (vector.length !== inputs)
      throw module.unusable(`its Dense module takes ${inputs} numbers, not ${vector.length}`);
    const row = (matrix: Float32Array, at: number): number => {
      let sum = 0;
      for (let i = 0; i < inputs; i++) sum += matrix[at * inputs + i]! * vector[i]!;
      return sum;
    };
    const added = (at: number): number => (projection ? row(projection, at) : isResidual ? vector[at]! : 0);
    return Float64Array.from(
      { length: outputs },
      (_, at) => activate(row(weight, at) + (bias?.[at] ?? 0)) + added(at),
    );
  };
}

/** Fields of sentence-transformers 5 whose other values are not supported. */
const USUAL: Readonly<Record<string, unknown>> = {
  module_input_name: "sentence_embedding",
  module_output_name: "sentence_embedding",
};

/** With the defaults of sentence-transformers: a bias, and Tanh. */
function readConfiguration({ configuration: fields, unusable, unsupported }: ModuleFiles) {
  const { in_features: inputs, out_features: outputs } = fields;
  if (!isCount(inputs) || !isCount(outputs))
    throw unusable("its Dense module does not say in_features and out_features");
  const foreign = Object.entries(USUAL).find(([name, usual]) => (fields[name] ?? usual) !== usual)?.[0];
  if (foreign) throw unsupported(foreign);
  /** A class of torch by its full name. */
  const activation = String(fields.activation_function ?? "Tanh")
    .split(".")
    .at(-1)!;
  const activate = Object.hasOwn(ACTIVATIONS, activation) ? ACTIVATIONS[activation] : undefined;
  if (!activate) throw unsupported(`the activation ${activation}`);
  return {
    inputs,
    outputs,
    hasBias: fields.bias !== false,
    activate,
    isResidual: fields.use_residual === true,
  };
}
