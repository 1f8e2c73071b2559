/** Caches whose calls always end, even if the storage is cleared during one. */

import { systemTimers, type Timers } from "../../clock.ts";
import { StorageCleared, StorageWatch } from "../../storage/storage-watch.ts";
import type { StoreEnvironment } from "../environment.ts";

/** What is used of a cache. */
export type StoreCache = Pick<Cache, "match" | "put" | "delete" | "keys">;

const watches = new WeakMap<object, StorageWatch>();

/**
 * The calls of the cache throw `StorageCleared`, too.
 *
 * @throws {StorageCleared} if the storage does not answer
 * @throws {DOMException} if the page may not use storage
 */
export async function openWatched(
  caches: Pick<CacheStorage, "open" | "has">,
  name: string,
  timers: Timers,
): Promise<StoreCache> {
  const watch = watches.get(caches) ?? new StorageWatch(timers);
  watches.set(caches, watch);
  const isThere = (): Promise<boolean> => caches.has(name).catch(() => false);
  const answers = async (): Promise<true> => {
    await isThere();
    return true;
  };
  const cache = await watch.call(() => caches.open(name), answers);
  const watched = <T>(call: () => Promise<T>): Promise<T> => watch.call(call, isThere);
  return {
    match: (key) => watched(() => cache.match(key)),
    put: (key, response) => watched(() => cache.put(key, response)),
    delete: (key) => watched(() => cache.delete(key)),
    keys: () => watched(() => cache.keys()),
  };
}

/**
 * Opens a cache; undefined if the page may not use storage.
 *
 * @throws {StorageCleared} if the storage does not answer
 */
export async function openCache(
  { caches }: Pick<StoreEnvironment, "caches">,
  name: string,
): Promise<StoreCache | undefined> {
  try {
    return caches && (await openWatched(caches, name, systemTimers));
  } catch (error) {
    if (error instanceof StorageCleared) throw error;
    return undefined;
  }
}
