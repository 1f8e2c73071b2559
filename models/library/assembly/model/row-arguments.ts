/** Checked arguments of the functions that work on rows of logits, VOCABULARY numbers each. */
import { Cell } from "../ffi/values";
import { tensorArgument } from "../ffi/arguments";
import { fail, FAILED, say, sayNumber } from "../ffi/errors";
import { TensorObject } from "../tensor/tensor";
import { VOCABULARY } from "../generated";

/** The rows in argument `index`, of any rank; null after an error. */
export function rowsArgument(args: Cell, index: i32): TensorObject | null {
  const tensor = changetype<TensorObject | null>(tensorArgument(args, index));
  if (!tensor) return null;
  const elements = tensor.elements;
  if (tensor.onGpu && tensor.bits == 32 && elements > 0 && elements % VOCABULARY == 0) return tensor;
  failArgument(index, "must hold rows of 32-bit numbers as long as the vocabulary, on the GPU");
  return null;
}

export function rowCount(tensor: TensorObject): i32 {
  return <i32>(tensor.elements / VOCABULARY);
}

/**
 * The GPU buffer of argument `index`, a tensor with exactly `count` 32-bit numbers that begins where its buffer
 * does; 0 after an error.
 */
export function numbersArgument(args: Cell, index: i32, count: i32): usize {
  const tensor = changetype<TensorObject | null>(tensorArgument(args, index));
  if (!tensor) return 0;
  if (!tensor.onGpu || tensor.bits != 32 || tensor.byteOffset != 0) {
    failArgument(index, "must be a tensor of 32-bit numbers on the GPU that is not a view with an offset");
    return 0;
  }
  if (<i32>tensor.elements == count) return tensor.data;
  failArgument(index, "must have ");
  sayNumber(count);
  say(" numbers, got ");
  sayNumber(<i32>tensor.elements);
  return 0;
}

/** How many numbers argument `index` has; -1 after an error. */
export function countArgument(args: Cell, index: i32): i32 {
  const tensor = changetype<TensorObject | null>(tensorArgument(args, index));
  return tensor ? <i32>tensor.elements : FAILED;
}

function failArgument(index: i32, text: string): void {
  fail("argument ");
  sayNumber(index + 1);
  say(" ");
  say(text);
}
