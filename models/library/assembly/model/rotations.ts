/**
 * The table of rotary embeddings, computed here in double precision: sine and cosine on a GPU may be off by
 * 5e-4, which grows to nearly 1e-3 in the logits.
 */
import { writeBuffer } from "../tensor/device";
import { HEAD_DIM, ROPE_THETA } from "../generated";

/** Bytes of the table for this many positions: HEAD_DIM / 2 cosines, then as many sines, per position. */
export function rotationBytes(positions: i32): usize {
  return <usize>positions * HEAD_DIM * 4;
}

export function writeRotations(buffer: usize, positions: i32): i32 {
  const half = HEAD_DIM / 2;
  const table = heap.alloc(rotationBytes(positions));
  for (let j = 0; j < half; j++) {
    const frequency = Math.pow(ROPE_THETA, (-2.0 * <f64>j) / <f64>HEAD_DIM);
    for (let position = 0; position < positions; position++) {
      const at = table + ((<usize>(position * HEAD_DIM + j)) << 2);
      const angle = <f64>position * frequency;
      store<f32>(at, <f32>Math.cos(angle));
      store<f32>(at + ((<usize>half) << 2), <f32>Math.sin(angle));
    }
  }
  const status = writeBuffer(table, buffer, 0, rotationBytes(positions));
  heap.free(table);
  return status;
}
