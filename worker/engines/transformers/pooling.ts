import type { TokenPooling } from "../api/types.ts";

/** Token vectors of a batch, padded on the right: `[texts, longest, dimensions]`. */
export interface HiddenStates {
  data: Float32Array;
  /** Token count of the longest text. */
  longest: number;
  dimensions: number;
}

/**
 * Pools token vectors into one vector per text, ignoring padding. The library's own `last_token` reads the last
 * position of the batch, which is padding for shorter texts.
 *
 * @param lengths token count of each text
 */
export function pool(
  { data, longest, dimensions }: HiddenStates,
  lengths: readonly number[],
  pooling: TokenPooling,
): Float64Array[] {
  return lengths.map((tokens, text) => {
    const first = pooling === "last_token" ? tokens - 1 : 0;
    const last = pooling === "cls" ? 0 : tokens - 1;
    const sum = new Float64Array(dimensions);
    for (let token = first; token <= last; token++) {
      const start = (text * longest + token) * dimensions;
      for (let i = 0; i < dimensions; i++) sum[i]! += data[start + i]!;
    }
    return sum.map((value) => value / (last - first + 1));
  });
}

/** The vector with a length of one; a zero vector stays one. */
export function toUnitLength(vector: Float64Array): Float64Array {
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}
