/** The weights of the model, by role. Their order is the order of `params` in the metadata. */
import { ArrayObject } from "../ffi/containers";
import { TensorObject } from "../tensor/tensor";
import {
  PARAMETER_DOWN,
  PARAMETER_EMBEDDING,
  PARAMETER_FINAL_NORM,
  PARAMETER_FIRST_LAYER,
  PARAMETER_GATE_UP,
  PARAMETER_HEAD,
  PARAMETER_INPUT_NORM,
  PARAMETER_OUTPUT,
  PARAMETER_POST_NORM,
  PARAMETER_QKV,
  PARAMETERS_PER_LAYER,
} from "../generated";

/** GPU buffer of parameter number `index`. */
function bufferOf(parameters: ArrayObject, index: i32): usize {
  return changetype<TensorObject>(parameters.cell(index).object).data;
}

function ofLayer(parameters: ArrayObject, layer: i32, role: i32): usize {
  return bufferOf(parameters, PARAMETER_FIRST_LAYER + layer * PARAMETERS_PER_LAYER + role);
}

/** Token embeddings: [vocabulary, hidden]. */
export function embedding(parameters: ArrayObject): usize {
  return bufferOf(parameters, PARAMETER_EMBEDDING);
}
export function inputNorm(parameters: ArrayObject, layer: i32): usize {
  return ofLayer(parameters, layer, PARAMETER_INPUT_NORM);
}
/** Rows of queries, then keys, then values: [(heads + 2 kv heads) * head dim, hidden]. */
export function qkvProjection(parameters: ArrayObject, layer: i32): usize {
  return ofLayer(parameters, layer, PARAMETER_QKV);
}
export function outputProjection(parameters: ArrayObject, layer: i32): usize {
  return ofLayer(parameters, layer, PARAMETER_OUTPUT);
}
export function postAttentionNorm(parameters: ArrayObject, layer: i32): usize {
  return ofLayer(parameters, layer, PARAMETER_POST_NORM);
}
/** Rows of gates, then ups: [2 * intermediate, hidden]. */
export function gateUpProjection(parameters: ArrayObject, layer: i32): usize {
  return ofLayer(parameters, layer, PARAMETER_GATE_UP);
}
export function downProjection(parameters: ArrayObject, layer: i32): usize {
  return ofLayer(parameters, layer, PARAMETER_DOWN);
}
export function finalNorm(parameters: ArrayObject): usize {
  return bufferOf(parameters, PARAMETER_FINAL_NORM);
}
/** The output embedding; the same tensor as `embedding` when the two are tied. */
export function head(parameters: ArrayObject): usize {
  return bufferOf(parameters, PARAMETER_HEAD);
}
