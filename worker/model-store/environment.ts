/** Browser APIs used by downloads; tests replace them. */

import { systemClock, systemTimers, type Timers } from "../clock.ts";
import { type StoreCache, watchedCache } from "./watched-cache.ts";

export interface StoreEnvironment {
  fetch: typeof fetch;
  /** Undefined if the page may not use storage. */
  caches: Pick<CacheStorage, "open" | "has"> | undefined;
  storage: Pick<StorageManager, "estimate"> | undefined;
  /** Serializes downloads of a file across tabs; undefined if not needed. */
  locks: Pick<LockManager, "request"> | undefined;
  /** This worker's origin; request headers that would need a CORS preflight are sent to it only. */
  origin: string;
  timers: Timers;
  /** Larger files are stored in segments of at most this size. @default 512 MiB */
  segmentBytes?: number;
  now(): number;
  /** In [0, 1). */
  random(): number;
}

export const browserEnvironment = (): StoreEnvironment => ({
  fetch: (...call) => fetch(...call),
  caches: globalThis.caches,
  storage: navigator.storage,
  locks: navigator.locks,
  origin: globalThis.location?.origin,
  timers: systemTimers,
  now: systemClock.now,
  random: () => crypto.getRandomValues(new Uint32Array(1))[0]! / 2 ** 32,
});

/** Opens a cache; undefined if the page may not use storage. */
export async function openCache(
  { caches }: Pick<StoreEnvironment, "caches">,
  name: string,
): Promise<StoreCache | undefined> {
  try {
    const cache = await caches?.open(name);
    return cache && watchedCache(cache, name, caches!, systemTimers);
  } catch {
    return undefined;
  }
}

/** Rejects with the signal's reason if it aborts first. */
export function sleep(delayMs: number, timers: Timers, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      callOff();
      reject(signal.reason);
    };
    const callOff = timers.after(delayMs, () => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    });
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
