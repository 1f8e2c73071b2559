/** Caches whose calls always end, even if the storage is cleared during one. */

import type { Timers } from "../clock.ts";
import { StorageCleared, StorageWatch } from "../storage/watch.ts";

/** What is used of a cache. */
export type StoreCache = Pick<Cache, "match" | "put" | "delete" | "keys">;

const watches = new WeakMap<object, StorageWatch>();

/** @throws {DOMException} if the page may not use storage, or the storage does not answer */
export async function openWatched(
  caches: Pick<CacheStorage, "open" | "has">,
  name: string,
  timers: Timers,
): Promise<StoreCache> {
  const watch = watches.get(caches) ?? new StorageWatch(timers);
  watches.set(caches, watch);
  const cache = await watch.answer(() => caches.open(name));
  const isThere = (): Promise<boolean> => caches.has(name).catch(() => false);
  let isGone = false;
  const watched = async <T>(call: () => Promise<T>): Promise<T> => {
    if (isGone) throw new StorageCleared();
    return watch.call(call, isThere, () => {
      isGone = true;
    });
  };
  return {
    match: (key) => watched(() => cache.match(key)),
    put: (key, response) => watched(() => cache.put(key, response)),
    delete: (key) => watched(() => cache.delete(key)),
    keys: () => watched(() => cache.keys()),
  };
}
