import { MAX_PARALLEL, type Parallel } from "../../../../src/protocol/parallel.ts";

/** The most replies that may run concurrently; of `auto`, {@link BatchSize} finds out how many are worth it. */
export function mostParallel(parallel: Parallel = "auto"): number {
  return parallel === "auto" ? MAX_PARALLEL : parallel;
}
