/** From logits to tokens, row by row: probabilities and the draw. */
import { newPair, newShape } from "../ffi/containers";
import { release, retain } from "../ffi/objects";
import { FunctionObject } from "../ffi/functions";
import { Cell } from "../ffi/values";
import { fail, FAILED, OK } from "../ffi/errors";
import { newGpuBlock, newGpuMatrix, newGpuVector, newView, TensorObject } from "../tensor/tensor";
import { FLOAT32, INT32 } from "../tensor/element-type";
import { writeBuffer } from "../tensor/device";
import { launchSampleTopP, launchSoftmax, VOCABULARY } from "../generated";
import { countArgument, numbersArgument, rowCount, rowsArgument } from "./row-arguments";

/** (logits [B, 1, V], temperature [B]): probabilities [B, 1, V] */
export function softmax(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const logits = rowsArgument(args, 0);
  if (!logits) return FAILED;
  const rows = rowCount(logits);
  const temperature = numbersArgument(args, 1, rows);
  if (!temperature) return FAILED;
  const made = newGpuBlock(FLOAT32, rows, 1, VOCABULARY);
  if (!made) return FAILED;
  if (launchSoftmax(logits.data, temperature, made.data, logits.wordOffset, 1, rows) != OK) {
    release(changetype<usize>(made));
    return FAILED;
  }
  result.setObject(changetype<usize>(made));
  return OK;
}

/** 0, 1, ... V - 1 in every row, on the GPU; made again for more rows than ever before. */
let everyToken: usize = 0;

/** The first `rows` rows of `everyToken`, owned by the caller; 0 after an error. */
function everyTokenIn(rows: i32): usize {
  let table = changetype<TensorObject | null>(everyToken);
  if (!table || table.dimension(0) < rows) {
    table = newGpuMatrix(INT32, rows, VOCABULARY);
    if (!table) return 0;
    const bytes = <usize>(rows * VOCABULARY) << 2;
    const numbers = heap.alloc(bytes);
    for (let i = 0; i < rows * VOCABULARY; i++) store<i32>(numbers + (<usize>i << 2), i % VOCABULARY);
    const status = writeBuffer(numbers, table.data, 0, bytes);
    heap.free(numbers);
    if (status != OK) {
      release(changetype<usize>(table));
      return 0;
    }
    release(everyToken);
    everyToken = changetype<usize>(table);
  }
  if (table.dimension(0) == rows) return retain(everyToken);
  const shape = newShape(2);
  shape.set(0, rows);
  shape.set(1, VOCABULARY);
  const view = newView(table, shape, INT32, 0);
  release(changetype<usize>(shape));
  return changetype<usize>(view);
}

/**
 * (probabilities [B, V]): [probabilities, tokens], where place i of a row of the first belongs to the token in
 * place i of the second. NOT SORTED, whatever the name says: both come in the order of the vocabulary. The
 * pair goes to `sample_with_top_p` and nothing else, and that finds its set of tokens without an order
 * (`sample_top_p.wgsl`), so this costs no launch.
 */
export function argsort(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const probabilities = rowsArgument(args, 0);
  if (!probabilities) return FAILED;
  const tokens = everyTokenIn(rowCount(probabilities));
  if (!tokens) return FAILED;
  result.setObject(newPair(retain(changetype<usize>(probabilities)), tokens));
  return OK;
}

/**
 * (the pair of `argsort` [B, V], uniform numbers [m], row of each draw [m], top p of every row [B]): tokens [m];
 * -1 where there is no such row
 */
export function sampleTopP(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const probabilities = rowsArgument(args, 0);
  const draws = countArgument(args, 3);
  if (!probabilities || draws < 0) return FAILED;
  if (!draws) return fail("no rows to draw from");
  const rows = rowCount(probabilities);
  const uniform = numbersArgument(args, 2, draws);
  const drawn = numbersArgument(args, 3, draws);
  const topP = numbersArgument(args, 4, rows);
  if (!uniform || !drawn || !topP) return FAILED;
  const made = newGpuVector(INT32, draws);
  if (!made) return FAILED;
  const status = launchSampleTopP(
    probabilities.data, uniform, drawn, topP, made.data, probabilities.wordOffset, rows, 1, draws,
  );
  if (status != OK) {
    release(changetype<usize>(made));
    return FAILED;
  }
  result.setObject(changetype<usize>(made));
  return OK;
}
