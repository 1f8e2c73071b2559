/** Browser APIs used by downloads; tests replace them. */

import { systemClock, systemTimers, type Timers } from "../clock.ts";
import type { HubSource } from "../engine-api/model-files.ts";

/** Waits for servers that limit the rate of requests. */
export interface RequestLimits {
  /** Resolves when the address may be asked. @throws the signal's reason if it aborts first */
  ready(url: string, signal: AbortSignal): Promise<void>;
  /**
   * Begins the pause that a 429 asks for, or joins the one of another file.
   *
   * @param retryAfterMs as the server says; undefined if it does not
   * @throws {EngineError} `rate_limited` if the load has waited as long as it may
   */
  note(url: string, retryAfterMs: number | undefined, hub: HubSource | undefined): void;
}

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
  /** Pauses that the files of one load share. @default each file has its own */
  limits?: RequestLimits;
  /** Whether files that are not cached are not asked for. @default false */
  isCacheOnly?: boolean;
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
