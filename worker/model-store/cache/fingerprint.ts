import type { StoreEnvironment } from "../environment.ts";
import { sha256 } from "./integrity.ts";
import { STORED_HASH, type StoredFile } from "./store-file.ts";
import { openCache } from "./watched-cache.ts";

/**
 * The part of `system_fingerprint` after `fp_`: ten hexadecimal digits that depend only on the engine's build and
 * every byte of the files.
 *
 * @param build names the engine and its versions
 * @param files in a fixed order, each with its contents from {@link fetchModelFiles}
 */
export async function fingerprintOf(
  build: string,
  files: readonly (readonly [StoredFile, Blob])[],
  environment: StoreEnvironment,
): Promise<string> {
  const hashes = await Promise.all(files.map(([stored, blob]) => contentHash(stored, blob, environment)));
  return (await sha256(new Blob([[build, ...hashes].join("\n")]))).slice(0, 10);
}

/** The published hash or the one recorded in the cache; computed for a file that could not be stored. */
async function contentHash(
  { file, cache, key }: StoredFile,
  blob: Blob,
  environment: StoreEnvironment,
): Promise<string> {
  if (file.sha256 !== undefined) return file.sha256.toLowerCase();
  // The stored file may still be that of another commit. Files with such a hash are small.
  if (file.gitOid !== undefined) return sha256(blob);
  const kept = await (await openCache(environment, cache))?.match(key);
  return kept?.headers.get(STORED_HASH) ?? sha256(blob);
}
