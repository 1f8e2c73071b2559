/** Storage quota checks for downloads. */

import { withinLimit } from "../../../src/protocol/liveness/awake-timeout.ts";
import { formatBytes } from "../../engine-api/byte-sizes.ts";
import { EngineError } from "../../engine-api/engine-error.ts";
import type { StoreEnvironment } from "../environment.ts";

/**
 * Bytes that may still be stored. Some browsers report the same number regardless of free space (Chromium: ten
 * gigabytes); there, only storing reveals a full disk.
 */
export async function freeBytes({ storage }: Pick<StoreEnvironment, "storage">): Promise<number> {
  const { quota, usage = 0 } = await estimateOf(storage);
  return quota === undefined ? Number.POSITIVE_INFINITY : quota - usage;
}

/** A browser whose storage was cleared may never answer. */
const ESTIMATE_LIMIT_MS = 10_000;

/** Empty where the browser has no estimates (Safari before 17), refuses them, or does not answer. */
export async function estimateOf(
  storage: Partial<Pick<StorageManager, "estimate">> | undefined,
): Promise<StorageEstimate> {
  const asked = storage?.estimate?.();
  if (!asked) return {};
  return withinLimit(asked, ESTIMATE_LIMIT_MS, () => new Error("late")).catch(() => ({}));
}

/** Whether a cache threw because it is full. */
export function isQuotaError(error: unknown): boolean {
  return (error as Error | undefined)?.name === "QuotaExceededError";
}

/**
 * @param what needs the storage; starts the message
 * @param freeBytes undefined if unknown
 */
export function quotaExceeded(
  what: string,
  neededBytes: number,
  freeBytes?: number,
  cause?: unknown,
): EngineError {
  const free = freeBytes === undefined ? "less" : `only ${formatBytes(Math.max(0, freeBytes))}`;
  return new EngineError(
    "insufficient_storage",
    `${what} needs ${formatBytes(neededBytes)} of storage, and this browser has ${free} left for this site. Free space on the disk, delete models with runtime.models.delete(), or choose a smaller one.`,
    { cause },
  );
}
