/** Compares the vectors of texts in a batch with those of each alone: padding and other texts must not change them. */

import type { EmbeddingDevice } from "../../engine-api/embedding-model.ts";

/**
 * Largest difference, of vectors of a length of one. Graphs that quantise activations over the whole batch, which not all
 * say by their names, differ by more than 0.001; rounding on a GPU depends on the shape of the batch.
 */
const MAX_DIFFERENCE: Record<EmbeddingDevice, number> = { wasm: 1e-5, webgpu: 1e-3 };

export function differInBatch(
  alone: readonly Float32Array[],
  batch: readonly Float32Array[],
  device: EmbeddingDevice,
): boolean {
  return alone.some((vector, text) => {
    const most = MAX_DIFFERENCE[device] * (Math.hypot(...vector) || 1);
    return vector.some((value, at) => !(Math.abs(value - batch[text]![at]!) <= most));
  });
}
