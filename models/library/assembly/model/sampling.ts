/** From logits to a token: mask, bias, penalties (all in place), probabilities, and the draw. */
import { newPair } from "../ffi/containers";
import { release, retain } from "../ffi/objects";
import { FunctionObject } from "../ffi/functions";
import { Cell } from "../ffi/values";
import { tensorArgument } from "../ffi/arguments";
import { FAILED, OK } from "../ffi/errors";
import { newGpuBlock, newGpuMatrix, newGpuVector, TensorObject } from "../tensor/tensor";
import { FLOAT32, INT32 } from "../tensor/element-type";
import { writeBuffer } from "../tensor/device";
import {
  APPLY_BIAS_WORKGROUP, APPLY_BITMASK_WORKGROUP, APPLY_PENALTY_WORKGROUP, launchApplyBias, launchApplyBitmask,
  launchApplyPenalty, launchSampleTopP, launchSoftmax, VOCABULARY,
} from "../generated";
import { groupsFor } from "./launch";

/** Tensor number `index`; null after an error. */
@inline
function tensor(args: Cell, index: i32): TensorObject | null {
  return changetype<TensorObject | null>(tensorArgument(args, index));
}

/** GPU buffer of a tensor that was checked before. */
@inline
function buffer(args: Cell, index: i32): usize {
  return changetype<TensorObject>(args.at(index).object).data;
}

function allTensors(args: Cell, count: i32): bool {
  for (let i = 0; i < count; i++) if (!tensorArgument(args, i)) return false;
  return true;
}

/** (logits [1, V], rows [1], mask [1, V / 32]) */
export function applyBitmask(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  if (!allTensors(args, 3)) return FAILED;
  const logits = tensor(args, 0)!;
  const groups = groupsFor(VOCABULARY, APPLY_BITMASK_WORKGROUP);
  return launchApplyBitmask(logits.data, buffer(args, 1), buffer(args, 2), logits.wordOffset, groups, 1);
}

/** (logits [1, V], row of each [k], tokens [k], bias [k]) */
export function applyBias(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  if (!allTensors(args, 4)) return FAILED;
  const logits = tensor(args, 0)!;
  const tokens = tensor(args, 2)!.dimension(0);
  return launchApplyBias(
    logits.data, buffer(args, 1), buffer(args, 2), buffer(args, 3), logits.wordOffset, tokens,
    groupsFor(tokens, APPLY_BIAS_WORKGROUP), 1,
  );
}

/** (logits [1, V], rows [1], sequence of each [k], tokens [k], counts [k], penalties [1, 3]) */
export function applyPenalty(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  if (!allTensors(args, 6)) return FAILED;
  const logits = tensor(args, 0)!;
  const tokens = tensor(args, 3)!.dimension(0);
  return launchApplyPenalty(
    logits.data, buffer(args, 1), buffer(args, 2), buffer(args, 3), buffer(args, 4), buffer(args, 5),
    logits.wordOffset, tokens, groupsFor(tokens, APPLY_PENALTY_WORKGROUP), 1,
  );
}

/** (logits [1, 1, V], temperature [1]): probabilities [1, 1, V] */
export function softmax(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const logits = tensor(args, 0);
  const temperature = tensor(args, 1);
  if (!logits || !temperature) return FAILED;
  const made = newGpuBlock(FLOAT32, 1, 1, VOCABULARY);
  if (!made) return FAILED;
  if (launchSoftmax(logits.data, temperature.data, made.data, logits.wordOffset, temperature.wordOffset, 1, 1) != OK) {
    release(changetype<usize>(made));
    return FAILED;
  }
  result.setObject(changetype<usize>(made));
  return OK;
}

/** 0, 1, ... V - 1 on the GPU; made once. */
let everyToken: usize = 0;

/**
 * (probabilities [1, V]): [probabilities, tokens], where place i of the first belongs to the token in place
 * i of the second. NOT SORTED, whatever the name says: both come in the order of the vocabulary. web-llm
 * hands the pair to `sample_with_top_p` and nothing else, and that finds its set of tokens without an order
 * (`sample_top_p.wgsl`), so this costs no launch.
 */
export function argsort(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const probabilities = tensorArgument(args, 0);
  if (!probabilities) return FAILED;
  if (!everyToken) {
    const made = newGpuMatrix(INT32, 1, VOCABULARY);
    if (!made) return FAILED;
    const numbers = heap.alloc(VOCABULARY * 4);
    for (let i = 0; i < VOCABULARY; i++) store<i32>(numbers + (<usize>i << 2), i);
    const status = writeBuffer(numbers, made.data, 0, VOCABULARY * 4);
    heap.free(numbers);
    if (status != OK) return FAILED;
    everyToken = changetype<usize>(made);
  }
  result.setObject(newPair(retain(probabilities), retain(everyToken)));
  return OK;
}

/** (the pair of `argsort`, uniform number [1], row [1], top p per row): token [1] */
export function sampleTopP(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  if (!allTensors(args, 5)) return FAILED;
  const probabilities = tensor(args, 0)!;
  const made = newGpuVector(INT32, 1);
  if (!made) return FAILED;
  const status = launchSampleTopP(
    probabilities.data, buffer(args, 2), buffer(args, 3), buffer(args, 4), made.data, probabilities.wordOffset, 1, 1,
  );
  if (status != OK) {
    release(changetype<usize>(made));
    return FAILED;
  }
  result.setObject(changetype<usize>(made));
  return OK;
}
