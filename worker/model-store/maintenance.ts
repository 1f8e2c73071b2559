/** Deletes and verifies cache entries. */

import { isWhole } from "./cache/integrity.ts";
import { PARTS_CACHE } from "./cache/part-key.ts";
import { findFile } from "./cache/segments.ts";
import type { StoredFile } from "./cache/store-file.ts";
import { openCache } from "./cache/watched-cache.ts";
import type { StoreEnvironment } from "./environment.ts";
import type { StoredEntry } from "./inventory.ts";

/**
 * Deletes entries, last part first, so that an interruption leaves no orphaned parts; of a file in segments, the index
 * first, so that the rest is no file.
 */
export async function deleteEntries(
  entries: readonly StoredEntry[],
  environment: StoreEnvironment,
): Promise<void> {
  for (const { cache, key, segments = [] } of [...entries].reverse()) {
    await (await openCache(environment, cache))?.delete(key);
    const parts = segments.length === 0 ? undefined : await openCache(environment, PARTS_CACHE);
    for (const segment of [...segments].reverse()) await parts?.delete(segment);
  }
}

/**
 * Deletes a stored file that is not what its name says, as where a server sent another text in its place: the next load
 * fetches it again. One with a published hash is what was published.
 */
export async function discardUnreadable(
  { cache, key, file }: StoredFile,
  environment: StoreEnvironment,
): Promise<void> {
  if (file.sha256 !== undefined || file.gitOid !== undefined) return;
  const discard = async (): Promise<unknown> => (await openCache(environment, cache))?.delete(key);
  await discard().catch(() => {});
}

/**
 * Rehashes every file and deletes those that differ from the published hash or the one recorded when stored.
 *
 * @param published hexadecimal SHA-256 by file name
 * @returns the addresses of corrupt files
 */
export async function verifyEntries(
  entries: readonly StoredEntry[],
  published: ReadonlyMap<string, string>,
  environment: StoreEnvironment,
): Promise<string[]> {
  const broken: StoredEntry[] = [];
  for (const entry of entries) {
    const content = await (await findFile(entry, environment))?.content();
    // The longest: `onnx/model.onnx` ends in the name of another file, `model.onnx`.
    const [name] = [...published.keys()]
      .filter((one) => entry.address.endsWith(`/${one}`))
      .sort((a, b) => b.length - a.length);
    const sha256 = (name === undefined ? undefined : published.get(name)) ?? entry.sha256;
    const file = { name: entry.address, bytes: entry.bytes, ...(sha256 === undefined ? {} : { sha256 }) };
    if (!content || !(await isWhole(content, file))) broken.push(entry);
  }
  await deleteEntries(broken, environment);
  return broken.map(({ address }) => address);
}
