import type { Pooling, TokenPooling } from "../../../engine-api/embedding-model.ts";

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
 * @param pooling joined modes (`cls+mean`) make one vector of all, in this order
 */
export function pool(
  states: HiddenStates,
  lengths: readonly number[],
  pooling: Exclude<Pooling, "sentence_embedding">,
): Float64Array[] {
  const modes = pooling.split("+") as TokenPooling[];
  const parts = modes.map((mode) => poolOnce(states, lengths, mode));
  if (parts.length === 1) return parts[0]!;
  return lengths.map((_, text) => Float64Array.from(parts.flatMap((vectors) => [...vectors[text]!])));
}

function poolOnce(
  { data, longest, dimensions }: HiddenStates,
  lengths: readonly number[],
  pooling: TokenPooling,
): Float64Array[] {
  const isMax = pooling === "max";
  return lengths.map((tokens, text) => {
    const first = pooling === "last_token" ? tokens - 1 : 0;
    const last = pooling === "cls" ? 0 : tokens - 1;
    const pooled = new Float64Array(dimensions).fill(isMax ? Number.NEGATIVE_INFINITY : 0);
    let weights = 0;
    for (let token = first; token <= last; token++) {
      const start = (text * longest + token) * dimensions;
      const weight = pooling === "weighted_mean" ? token + 1 : 1;
      weights += weight;
      for (let i = 0; i < dimensions; i++) {
        const value = data[start + i]!;
        pooled[i] = isMax ? Math.max(pooled[i]!, value) : pooled[i]! + weight * value;
      }
    }
    if (isMax) return pooled;
    const divisor = pooling === "mean_sqrt_len" ? Math.sqrt(weights) : weights;
    return pooled.map((value) => value / divisor);
  });
}

/** The vector with a length of one; a zero vector stays one. */
export function toUnitLength(vector: Float64Array): Float64Array {
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}
