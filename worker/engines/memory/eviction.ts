import { formatBytes, totalBytes } from "../../engine-api/byte-sizes.ts";
import { EngineError } from "../../engine-api/engine-error.ts";
import type { EvictableModel, MemoryEntry, MemoryLimit } from "./memory-entry.ts";

/**
 * Chooses a minimal set of models to evict so that `bytes` more fit: idle ones first, least recently used first.
 *
 * @param entries least recently used first
 * @returns undefined if a strict limit is exceeded even after all evictions
 */
export function chooseEvictions(
  entries: readonly MemoryEntry[],
  bytes: number,
  { limitBytes, isStrict }: MemoryLimit,
): MemoryEntry[] | undefined {
  let missing = totalBytes(entries) + bytes - limitBytes;
  const movable = entries.filter(({ model }) => !model.isPinned);
  const evicted: MemoryEntry[] = [];
  for (const entry of [...movable.filter(isIdle), ...movable.filter((one) => !isIdle(one))]) {
    if (missing <= 0) break;
    evicted.push(entry);
    missing -= entry.bytes;
  }
  if (missing > 0) return isStrict ? undefined : evicted;
  // Keep models whose eviction became unnecessary after a larger one was added.
  return evicted.filter((entry) => {
    if (missing + entry.bytes > 0) return true;
    missing += entry.bytes;
    return false;
  });
}

/**
 * What to admit the model with: its size, or under a strict limit all that the pinned models leave, if a smaller
 * context window may fit into that.
 */
export function admittedBytes(
  { bytes, leastBytes = bytes }: EvictableModel,
  entries: readonly MemoryEntry[],
  { limitBytes, isStrict }: MemoryLimit,
): number {
  const mostBytes = limitBytes - pinnedBytes(entries);
  return isStrict && bytes > mostBytes && leastBytes <= mostBytes ? mostBytes : bytes;
}

/** The error for a model that cannot fit beside the pinned models. */
export function refusal(
  { id, name = id, bytes }: EvictableModel,
  entries: readonly MemoryEntry[],
  { limitBytes }: MemoryLimit,
): EngineError {
  const pinned = pinnedBytes(entries);
  const why =
    bytes > limitBytes
      ? `more than the whole memory budget of ${formatBytes(limitBytes)}`
      : `and models that are kept loaded take ${formatBytes(pinned)} of the memory budget of ${formatBytes(limitBytes)}`;
  return new EngineError(
    "insufficient_memory",
    `The model '${name}' needs about ${formatBytes(bytes)} of memory, ${why}. Raise the option memoryBudgetBytes or choose a smaller model.`,
  );
}

function isIdle({ holds }: MemoryEntry): boolean {
  return holds === 0;
}

/** Memory of the models that are never evicted. */
export function pinnedBytes(entries: readonly MemoryEntry[]): number {
  return totalBytes(entries.filter(({ model }) => model.isPinned));
}
