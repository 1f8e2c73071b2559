/** Own models have a folder of cache addresses for each version of their manifest (decision 058). */

import { PARTS_CACHE, partOf } from "./cache/part-key.ts";
import { openCache } from "./cache/watched-cache.ts";
import type { StoreEnvironment } from "./environment.ts";

/** All caches that hold files of models, or parts of them. */
export const FILE_CACHES = [
  "webllm/config",
  "webllm/model",
  "webllm/wasm",
  "infetch/transformers",
  "infetch/gguf",
  PARTS_CACHE,
];

/** Folder of a model that the options name by URL, and of one of its versions. */
const VERSION = /^(https:\/\/infetch\.invalid\/own\/[^/]+\/)[^/]+\//;

/**
 * Deletes the files of all other versions of an own model, which no later load reads. What is left by a failure, the
 * next load deletes.
 *
 * @param folder cache addresses of the version that has been loaded; nothing is done for those of other models
 */
export async function discardOtherVersions(folder: string, environment: StoreEnvironment): Promise<void> {
  const [version, model] = VERSION.exec(folder) ?? [];
  if (version === undefined) return;
  const isOther = (address: string): boolean => address.startsWith(model!) && !address.startsWith(version);
  const discard = async (name: string): Promise<void> => {
    // Opening a cache would create it.
    const cache = (await environment.caches?.has(name)) ? await openCache(environment, name) : undefined;
    const keys = ((await cache?.keys()) ?? []).map(({ url }) => url);
    // Last part first, as where a download is discarded.
    for (const key of keys.reverse()) if (isOther(partOf(key) ?? key)) await cache?.delete(key);
  };
  for (const name of FILE_CACHES) await discard(name).catch(() => {});
}
