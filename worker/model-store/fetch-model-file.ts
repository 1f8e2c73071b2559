/**
 * Fetches model files for all engines: from the browser's cache if present and intact, otherwise from their server,
 * verified before they are stored. An interrupted download resumes, even within a file; a corrupt file is downloaded
 * again once and never stored.
 *
 *     const [weights] = await fetchModelFiles([{ url, cache: "infetch/gguf", key, file }], { onProgress, signal });
 */

import { NEVER } from "../../src/shared/abortable.ts";
import type { ModelFile } from "../engine-api/model-files.ts";
import { type Content, isLfsPointer, isWhole, SMALL_BYTES } from "./cache/integrity.ts";
import { freeBytes, quotaExceeded } from "./cache/quota.ts";
import { areStored, type CachedFile, findFile, INDEXED_BYTES } from "./cache/segments.ts";
import {
  noFileRoom,
  openParts,
  STORED_HASH,
  type StoredFile,
  segmentBytesOf,
  storeFile,
} from "./cache/store-file.ts";
import { download } from "./download/download.ts";
import { downloadFailed, MissingFileError } from "./download-errors.ts";
import { browserEnvironment, type StoreEnvironment } from "./environment.ts";
import { withFileLock } from "./file-lock.ts";

/** A downloaded file that is complete in its parts. */
export interface UnstoredFile {
  /** False if another load of the file has deleted the parts meanwhile. */
  canStore(): Promise<boolean>;
  store(): Promise<void>;
}

export interface FetchModelFileOptions {
  /** Aborts at any point; data received so far is kept for the next attempt. */
  signal?: AbortSignal;
  /** Called with the bytes loaded so far, including those of an earlier download. */
  onLoaded?: (bytes: number) => void;
  /** Called with the size reported by the server if it was unknown. */
  onSize?: (bytes: number) => void;
  /** Size beyond which a file of unknown size is not the published one. @default none */
  maxBytes?: number;
  /** Whether to accept a file that cannot be stored and must be downloaded again next time. */
  mayStayUnstored?: boolean;
  /**
   * Takes a downloaded file, to be stored later; until then its data stays in parts, and a stored file of
   * that key stays as it is. @default stored at once
   */
  storeLater?: ((file: UnstoredFile) => void) | undefined;
  environment?: StoreEnvironment;
}

/**
 * Fetches one complete file.
 *
 * @returns undefined if the server does not have the file
 * @throws {EngineError} `model_download_failed`, `insufficient_storage`
 * @throws the signal's reason
 */
export async function fetchModelFile(
  stored: StoredFile,
  options: FetchModelFileOptions = {},
): Promise<Blob | undefined> {
  const { environment = browserEnvironment(), signal = NEVER } = options;
  signal.throwIfAborted();
  return withFileLock(stored.key, environment, signal, (untilLost) =>
    fetchStored(stored, { ...options, environment, signal: untilLost }),
  );
}

/** Files that are downloaded at once. */
const MAX_CONNECTIONS = 4;

/**
 * Fetches several files, four at once, after checking that the browser has storage for all of them. The first failure
 * ends the other downloads, whose data is kept.
 *
 * @returns the files in the given order
 * @throws as {@link fetchModelFile}, also for a file that the server does not have
 */
export async function fetchModelFiles(
  files: readonly StoredFile[],
  options: Omit<FetchModelFileOptions, "onLoaded" | "onSize"> & {
    /** Includes bytes that were already stored; the total grows as unknown sizes become known. */
    onProgress?: (loadedBytes: number, totalBytes: number) => void;
  } = {},
): Promise<Blob[]> {
  const { onProgress = () => {}, ...rest } = options;
  const environment = rest.environment ?? browserEnvironment();
  const connections = await requireRoom(files, environment);
  const sizes = files.map(({ file }) => file.bytes);
  const loaded = files.map(() => 0);
  const blobs = new Array<Blob>(files.length);
  const failed = new AbortController();
  const signal = rest.signal ? AbortSignal.any([rest.signal, failed.signal]) : failed.signal;
  const fetchOne = async (at: number, stored: StoredFile): Promise<void> => {
    const onLoaded = (bytes: number): void => {
      loaded[at] = bytes;
      sizes[at] = Math.max(sizes[at]!, bytes);
      onProgress(sum(loaded), sum(sizes));
    };
    const onSize = (bytes: number): void => {
      sizes[at] = bytes;
    };
    const blob = await fetchModelFile(stored, { ...rest, environment, signal, onLoaded, onSize });
    if (!blob) throw MissingFileError.at(stored.url);
    blobs[at] = blob;
  };
  const waiting = files.entries();
  const connection = async (): Promise<void> => {
    for (const [at, stored] of waiting) {
      if (failed.signal.aborted) return;
      await fetchOne(at, stored).catch((error) => failed.abort(error));
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  // The reason of the first abort is the first failure.
  failed.signal.throwIfAborted();
  return blobs;
}

/**
 * Checks that the browser has storage for files of known size. While a file is stored, its parts and the whole file
 * coexist; of a file in segments, the parts of one segment and that segment.
 *
 * @returns how many may be downloaded at once
 * @throws {EngineError} `insufficient_storage`
 */
export async function requireRoom(
  files: readonly StoredFile[],
  environment: StoreEnvironment,
): Promise<number> {
  const sizes: number[] = [];
  let missing = 0;
  for (const stored of files) {
    const { bytes } = stored.file;
    const kept = await findFile(stored, environment);
    if (kept && !isReplaced(kept, stored.file)) continue;
    const parts = await openParts(stored, kept, environment);
    missing += Math.max(0, bytes - parts.bytes);
    sizes.push(Math.min(bytes, segmentBytesOf(stored, environment)));
  }
  sizes.sort((a, b) => b - a);
  const needed = (connections: number): number => missing + sum(sizes.slice(0, connections));
  const free = await freeBytes(environment);
  for (let connections = MAX_CONNECTIONS; connections > 0; connections--) {
    if (needed(connections) <= free) return connections;
  }
  throw quotaExceeded("The model", needed(1), free);
}

const LFS_POINTER = "the server has a Git LFS pointer in its place ('git lfs pull' fetches the file)";

type FetchContext = FetchModelFileOptions & { environment: StoreEnvironment; signal: AbortSignal };

async function fetchStored(stored: StoredFile, options: FetchContext): Promise<Blob | undefined> {
  const { environment, signal, onLoaded = () => {}, onSize, maxBytes, mayStayUnstored } = options;
  const { file, url, hub } = stored;
  const kept = await findFile(stored, environment);
  const content = await kept?.content();
  if (content && (isRecorded(kept!, content, file) || (await isWhole(content, file)))) {
    onLoaded(content.size);
    return kept!.blob();
  }
  const onFull = (error: unknown): void => {
    if (!mayStayUnstored) throw noFileRoom(file, file.bytes, error);
  };
  const parts = await openParts(stored, kept, environment, onFull);
  const isHashed = file.sha256 !== undefined || file.gitOid !== undefined;
  const job = { url, bytes: file.bytes, maxBytes, isHashed, hub, signal, onLoaded, onSize };
  for (let tries = 0; tries < 2; tries++) {
    if (!(await download(job, parts, environment))) return undefined;
    await parts.seal();
    const blob = await parts.blob().catch(async (error: Error) => {
      await parts.discard().catch(() => {});
      throw downloadFailed(url, `its stored part was deleted (${error.message})`, error);
    });
    const isPointer = await isLfsPointer(blob);
    const isGood = !isPointer && (await isWhole(blob, file, parts.sha256));
    signal.throwIfAborted();
    const store = () => storeFile(stored, { parts, blob }, environment, mayStayUnstored);
    const canStore = async () => areStored(parts.segments ?? [], environment);
    if (isGood && options.storeLater) options.storeLater({ canStore, store });
    else if (isGood) await store();
    if (isGood) return blob;
    await parts.discard();
    if (isPointer) throw downloadFailed(url, LFS_POINTER);
    onLoaded(0);
  }
  throw downloadFailed(url, "its size or hash differs from the published one");
}

/**
 * Whether a stored file had its published hash when it was stored, and need not be hashed again: files of a hub, and
 * large ones, which take ten seconds per gigabyte.
 */
function isRecorded(
  { headers }: CachedFile,
  { size }: Content,
  { bytes, sha256, isHashedOnce }: ModelFile,
): boolean {
  if (!(isHashedOnce || size > SMALL_BYTES) || sha256 === undefined || size !== bytes) return false;
  return storedHash(headers) === sha256.toLowerCase();
}

/** Whether a stored file is known to be another one, without reading it. */
function isReplaced({ headers }: CachedFile, { bytes, sha256 }: ModelFile): boolean {
  const storedBytes = headers.get(INDEXED_BYTES) ?? headers.get("content-length");
  const hash = storedHash(headers);
  if (bytes > 0 && storedBytes !== null && Number(storedBytes) !== bytes) return true;
  return sha256 !== undefined && hash !== undefined && hash !== sha256.toLowerCase();
}

/** As published, which may be in capital letters. */
function storedHash(headers: Headers): string | undefined {
  return headers.get(STORED_HASH)?.toLowerCase();
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
