/** Compares a backend's vectors of fixed texts with reference vectors, to reject backends that compute wrong values. */

import type { EmbeddingDtype } from "../../engine-api/embedding-model.ts";

/** Probe texts for models without reference vectors. */
export const PROBES = ["How do I get my money back?", "the weather in Paris tomorrow"] as const;

/**
 * Minimum cosine similarity to the reference. Reduced precision changes a vector slightly; broken kernels have been
 * reported with cosines of 0.75 and near 0.
 */
const MIN_COSINE: Record<EmbeddingDtype, number> = {
  fp32: 0.9999,
  fp16: 0.999,
  q8: 0.95,
  q4: 0.93,
  q4f16: 0.93,
};

/** @returns a description of the fault, or undefined */
export function findFault(
  vectors: readonly ArrayLike<number>[],
  references: readonly ArrayLike<number>[] | undefined,
  dtype: EmbeddingDtype,
): string | undefined {
  for (const [at, vector] of vectors.entries()) {
    if (!allFinite(vector)) return `the vector of probe ${at} contains numbers that are not finite`;
    if (length(vector) === 0) return `the vector of probe ${at} is zero`;
  }
  if (vectors.length > 1 && cosine(vectors[0]!, vectors[1]!) > 0.9999) {
    return "two different texts got the same vector";
  }
  for (const [at, reference] of (references ?? []).entries()) {
    const vector = vectors[at];
    if (vector?.length !== reference.length) {
      return `the vector of probe ${at} has ${vector?.length ?? 0} dimensions instead of ${reference.length}`;
    }
    const likeness = cosine(vector, reference);
    if (likeness < MIN_COSINE[dtype]) {
      return `the vector of probe ${at} has a cosine of ${likeness.toFixed(4)} with its reference, less than ${MIN_COSINE[dtype]}`;
    }
  }
  return undefined;
}

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let dot = 0;
  for (let at = 0; at < a.length; at++) dot += a[at]! * b[at]!;
  return dot / (length(a) * length(b));
}

function length(vector: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < vector.length; at++) sum += vector[at]! ** 2;
  return Math.sqrt(sum);
}

function allFinite(vector: ArrayLike<number>): boolean {
  for (let at = 0; at < vector.length; at++) if (!Number.isFinite(vector[at])) return false;
  return true;
}
