/** The option `parallel`: how many replies of a chat model run side by side. */

/** Rows of a pass in this project's model library. MLC's kernels read the weights once for four rows, twice for eight. */
export const MAX_PARALLEL = 8;

/** A fixed number, or `auto`: as many as raise the device's throughput. */
export type Parallel = number | "auto";

export const PARALLEL_VALUES = `"auto" or a whole number from 1 to ${MAX_PARALLEL}`;

export function isParallel(value: unknown): value is Parallel {
  return value === "auto" || (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_PARALLEL);
}
