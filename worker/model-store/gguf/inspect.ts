/** Reads the description of a model from its server before the download, which may take gigabytes. */

import { NEVER } from "../../../src/shared/abortable.ts";
import { readText } from "../../../src/shared/read-text.ts";
import { isLfsPointer, isPointerSize } from "../cache/integrity.ts";
import type { StoredFile } from "../cache/store-file.ts";
import { openCache } from "../cache/watched-cache.ts";
import { bodyBytes, isPage, rangedBytes } from "../download/content-size.ts";
import { RateLimitedFailure, transientFailure } from "../download/retry.ts";
import type { StoreEnvironment } from "../environment.ts";
import { hubHeaders } from "../hub-access.ts";
import {
  endlessMetadata,
  type GgufMetadata,
  type GgufValues,
  MAX_METADATA_BYTES,
  NO_GGUF,
  NotGguf,
  parseMetadata,
} from "./metadata.ts";

/** Smaller files are downloaded at once. */
const SMALL_BYTES = 16 * 2 ** 20;
/** Enough for the architecture, which is the first entry in practice, before the vocabulary. */
const HEAD_BYTES = 65_536;
/** After this long the download begins without a check, and reports what is wrong with the connection. */
const LIMIT_MS = 60_000;

type Environment = Pick<StoreEnvironment, "fetch" | "caches" | "isCacheOnly" | "limits" | "now">;

/**
 * Returns the files with their sizes. Sends no request for stored files, and for small ones of known size.
 *
 * @param onMetadata called with all metadata of the first file, unless it is stored, small or cannot be read
 * @throws {EngineError} `model_load_failed` if the file is not GGUF or its metadata does not end
 */
export async function inspectFiles(
  files: readonly StoredFile[],
  environment: Environment,
  onMetadata: (metadata: GgufValues) => void = () => {},
): Promise<StoredFile[]> {
  const inspected: StoredFile[] = [];
  for (const [at, stored] of files.entries()) {
    const { bytes } = stored.file;
    const isFirst = at === 0 && (bytes === 0 || bytes > SMALL_BYTES);
    const isUnknown = (isFirst || bytes === 0) && !environment.isCacheOnly;
    const isWanted = isUnknown && !(await isHere(stored, environment));
    inspected.push(isWanted ? await inspect(stored, environment, isFirst ? onMetadata : undefined) : stored);
  }
  return inspected;
}

async function isHere({ cache, key }: StoredFile, environment: Environment): Promise<boolean> {
  return (await (await openCache(environment, cache))?.match(key)) !== undefined;
}

async function inspect(
  stored: StoredFile,
  environment: Environment,
  onMetadata?: (metadata: GgufValues) => void,
): Promise<StoredFile> {
  const most = onMetadata ? MAX_METADATA_BYTES : HEAD_BYTES;
  const response = await ask(stored, environment, most);
  if (!response?.ok || !response.body || isPage(response.headers)) {
    await response?.body?.cancel().catch(() => {});
    return stored;
  }
  const size = sizeOf(response);
  if (isPointerSize(size)) {
    const read = await readText(response.body, size).catch(() => undefined);
    if (read && (await isOtherText(read.text))) throw new NotGguf(NO_GGUF, stored.url);
    return stored;
  }
  const { values, complete, length } = await readStart(response.body, most).catch((error: Error) => {
    throw error instanceof NotGguf ? new NotGguf(error.why, stored.url) : error;
  });
  if (complete) onMetadata?.(values);
  else if (length === MAX_METADATA_BYTES) throw endlessMetadata(stored.url);
  return { ...stored, file: { ...stored.file, bytes: stored.file.bytes || size } };
}

/** Whether it is neither a GGUF file nor a Git LFS pointer, which the download reports. */
async function isOtherText(text: string): Promise<boolean> {
  return !text.startsWith("GGUF") && !(await isLfsPointer(new Blob([text])));
}

/** @returns undefined if there is no answer: the download will report that with more detail */
async function ask(
  { url, hub }: StoredFile,
  environment: Environment,
  most: number,
): Promise<Response | undefined> {
  const { fetch, limits, now } = environment;
  for (;;) {
    await limits?.ready(url, NEVER);
    const headers = { range: `bytes=0-${most - 1}`, ...hubHeaders(url, hub) };
    const signal = AbortSignal.timeout(LIMIT_MS);
    const response = await fetch(url, { headers, cache: "no-store", signal }).catch(() => undefined);
    const failure = response && transientFailure(response, now());
    if (!limits || !(failure instanceof RateLimitedFailure)) return response;
    await response?.body?.cancel().catch(() => {});
    limits.note(url, failure.retryAfterMs, hub);
  }
}

/** Reads until the metadata is complete, or at most `most` bytes, even if the server ignores the range. */
async function readStart(
  body: ReadableStream<Uint8Array>,
  most: number,
): Promise<GgufMetadata & { length: number }> {
  let bytes = new Uint8Array(HEAD_BYTES);
  const reader = body.getReader();
  try {
    for (let length = 0; ; ) {
      const { done, value } = await reader.read().catch(() => ({ done: true as const, value: undefined }));
      const piece = value?.subarray(0, most - length) ?? new Uint8Array();
      if (length + piece.byteLength > bytes.byteLength) bytes = grown(bytes, length + piece.byteLength);
      bytes.set(piece, length);
      const before = length;
      length += piece.byteLength;
      const isOver = done || length === most;
      // Parsed again each time that its size has doubled.
      if (!isOver && Math.clz32(before) === Math.clz32(length)) continue;
      const metadata = parseMetadata(bytes.subarray(0, length));
      if (isOver || metadata.complete) return { ...metadata, length };
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function grown(bytes: Uint8Array, least: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(least, bytes.byteLength * 2));
  larger.set(bytes);
  return larger;
}

/** 0 if the server does not report a size. */
function sizeOf({ status, headers }: Response): number {
  return status === 206 ? rangedBytes(headers) : bodyBytes(headers);
}
