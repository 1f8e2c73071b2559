/** Stores downloaded files: as one cache entry, or large ones in segments. */

import type { EngineError } from "../../engine-api/engine-error.ts";
import type { HubSource, ModelFile } from "../../engine-api/model-files.ts";
import { downloadFailed } from "../download-errors.ts";
import type { StoreEnvironment } from "../environment.ts";
import { SMALL_BYTES, sha256 } from "./integrity.ts";
import { PARTS_CACHE, slotOf } from "./part-key.ts";
import { PartialFile } from "./partial-file.ts";
import { isQuotaError, quotaExceeded } from "./quota.ts";
import { type CachedFile, makeIndex } from "./segments.ts";
import { openCache } from "./watched-cache.ts";

/** Header of a stored file: its hash when it was stored. */
export const STORED_HASH = "x-infetch-sha256";

/** Chromium limits an entry to 2 GiB, and parts are copied into a segment while both exist. */
const SEGMENT_BYTES = 512 * 2 ** 20;

/** A file with its source and cache location. */
export interface StoredFile {
  url: string;
  /** Name of the cache. */
  cache: string;
  /** Cache key: an absolute URL that contains the version. */
  key: string;
  /** `bytes` is 0 if the size is unknown. */
  file: ModelFile;
  /** The hub that has the file, if it is one. */
  hub?: HubSource | undefined;
}

/** Larger files are stored in segments. web-llm reads its caches itself, so a file there is always one entry. */
export function segmentBytesOf({ cache }: StoredFile, { segmentBytes }: StoreEnvironment): number {
  return cache.startsWith("webllm/") ? Number.POSITIVE_INFINITY : (segmentBytes ?? SEGMENT_BYTES);
}

/**
 * Opens the unfinished download of a file, which may be empty.
 *
 * @param kept the stored version, which is not overwritten
 */
export async function openParts(
  stored: StoredFile,
  kept: CachedFile | undefined,
  environment: StoreEnvironment,
  onFull?: (error: unknown) => void,
): Promise<PartialFile> {
  const { bytes, sha256: published, gitOid } = stored.file;
  const segment = kept?.segments?.[0];
  return PartialFile.open(await openCache(environment, PARTS_CACHE), stored.key, {
    segmentBytes: segmentBytesOf(stored, environment),
    isHashed: bytes === 0 || bytes > SMALL_BYTES,
    hash: published?.toLowerCase() ?? gitOid,
    slot: segment && slotOf(segment.key) === 0 ? 1 : 0,
    ...(onFull ? { onFull } : {}),
  });
}

interface DownloadedFile {
  /** All of the file, sealed. */
  parts: PartialFile;
  /** The same as one. */
  blob: Blob;
}

/**
 * Stores a downloaded file and deletes the parts that it no longer needs. If it is not stored, the version that it
 * should replace stays.
 *
 * @param mayStayUnstored whether to accept that it cannot be stored
 * @throws {EngineError} `insufficient_storage`, `model_download_failed`
 */
export async function storeFile(
  { cache: name, key, file, url }: StoredFile,
  { parts, blob }: DownloadedFile,
  environment: StoreEnvironment,
  mayStayUnstored = false,
): Promise<void> {
  const headers = {
    "content-type": key.endsWith(".wasm") ? "application/wasm" : "application/octet-stream",
    "content-length": String(blob.size),
    // Without a published hash, later verification compares with this one.
    [STORED_HASH]: file.sha256 ?? parts.sha256 ?? (await sha256(blob)),
  };
  const { segments } = parts;
  const isStored = await putFile(segments ? makeIndex(segments, headers) : new Response(blob, { headers }));
  if (!segments || !isStored) await parts.discard();
  if (isStored) await parts.discardOthers();

  async function putFile(response: Response): Promise<boolean> {
    try {
      const cache = await openCache(environment, name);
      if (!cache) throw new DOMException("This page is not allowed to store data.", "SecurityError");
      await cache.put(key, response);
      return true;
    } catch (error) {
      if (mayStayUnstored) return false;
      if (isQuotaError(error)) throw noFileRoom(file, blob.size, error);
      throw downloadFailed(url, `it could not be stored (${(error as Error).message})`, error);
    }
  }
}

export function noFileRoom({ name }: ModelFile, bytes: number, cause: unknown): EngineError {
  return quotaExceeded(`The model's file ${name}`, bytes, undefined, cause);
}
