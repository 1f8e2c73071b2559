import type { SequenceCache } from "../kv/sequence-cache.ts";
import type { Job } from "./job.ts";

/** Replies whose next token is drawn in one pass: at most so many, and as many as its list of pages has room for. */
export function passesOf(jobs: readonly Job[], most: number, cache: SequenceCache): Job[][] {
  const passes: Job[][] = [];
  const { free, retained, active } = cache.pages;
  let left = 0;
  for (const job of jobs) {
    const pages = cache.listed(job.sequence!);
    if (pages > left || (passes.at(-1)?.length ?? most) === most) {
      passes.push([]);
      left = free + retained + active;
    }
    passes.at(-1)!.push(job);
    left -= pages;
  }
  return passes;
}
