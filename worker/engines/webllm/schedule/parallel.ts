import type { Parallel } from "../../../../src/protocol/parallel.ts";

/** MLC's kernels read the weights once for up to four rows, twice for five to eight. */
const AUTO = 4;

/** The most replies that may run side by side. */
export function mostParallel(parallel: Parallel = "auto"): number {
  return parallel === "auto" ? AUTO : parallel;
}
