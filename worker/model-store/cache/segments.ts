/**
 * A large file is stored as several cache entries, its segments, since browsers limit the size of one (decision 163).
 * The entry under the file's own key is then only an index of them. It is written last and deleted first: without it,
 * segments are the parts of an unfinished download.
 */

import { isObject } from "../../../src/shared/is-object.ts";
import { totalBytes } from "../../engine-api/byte-sizes.ts";
import { StorageCleared } from "../../storage/storage-watch.ts";
import type { StoreEnvironment } from "../environment.ts";
import type { Content } from "./integrity.ts";
import { PARTS_CACHE } from "./part-key.ts";
import { openCache, type StoreCache } from "./watched-cache.ts";

/** Header of an index: the size of the whole file. */
export const INDEXED_BYTES = "x-infetch-bytes";

/** A cache entry with a piece of a file. */
export interface Segment {
  /** Key in {@link PARTS_CACHE}. */
  key: string;
  bytes: number;
}

/** Size of the file if the entry is an index, undefined for others. */
export function indexedBytes({ headers }: Response): number | undefined {
  const bytes = headers.get(INDEXED_BYTES);
  return bytes === null ? undefined : Number(bytes);
}

/** The segments that an index lists, in order; none if it is damaged. */
export async function readIndex(index: Response): Promise<Segment[]> {
  const size = indexedBytes(index);
  const read: unknown = await index.json().catch(() => undefined);
  const segments = isObject(read) ? read.segments : undefined;
  const isWhole = Array.isArray(segments) && segments.every(isSegment) && totalBytes(segments) === size;
  return isWhole ? segments : [];
}

function isSegment(value: unknown): value is Segment {
  return isObject(value) && URL.canParse(String(value.key)) && Number.isSafeInteger(value.bytes);
}

/** @param headers of the file */
export function makeIndex(segments: readonly Segment[], headers: Record<string, string>): Response {
  const text = JSON.stringify({ segments });
  const described = {
    ...headers,
    "content-type": "application/json",
    "content-length": String(text.length),
    [INDEXED_BYTES]: String(totalBytes(segments)),
  };
  return new Response(text, { headers: described });
}

/** A whole file in a cache. */
export interface CachedFile {
  /** Headers of the entry, or of the index. */
  headers: Headers;
  /** Undefined if the file is one entry. */
  segments: readonly Segment[] | undefined;
  /** To be hashed: reads no more than it must into memory. */
  content(): Promise<Content>;
  /** To be read in any order. */
  blob(): Promise<Blob>;
}

/** Finds a file with all its segments. */
export async function findFile(
  { cache: name, key }: { cache: string; key: string },
  environment: Pick<StoreEnvironment, "caches">,
): Promise<CachedFile | undefined> {
  const response = await (await openCache(environment, name))?.match(key);
  if (!response) return undefined;
  const { headers } = response;
  const size = indexedBytes(response);
  if (size === undefined) {
    let whole: Promise<Blob> | undefined;
    const blob = () => (whole ??= response.blob());
    return { headers, segments: undefined, content: blob, blob };
  }
  const segments = await readIndex(response);
  if (segments.length === 0 || !(await areStored(segments, environment))) return undefined;
  const parts = await openCache(environment, PARTS_CACHE);
  const keys = segments.map((segment) => segment.key);
  const blob = async () =>
    new Blob(await Promise.all(keys.map(async (one) => (await read(parts, one)).blob())));
  const content = {
    size,
    stream: () => joined(keys.map((one) => async () => (await read(parts, one)).body!)),
    arrayBuffer: async () => (await blob()).arrayBuffer(),
  };
  return { headers, segments, content: async () => content, blob };
}

/** Whether no segment has been deleted. */
export async function areStored(
  segments: readonly Segment[],
  environment: Pick<StoreEnvironment, "caches">,
): Promise<boolean> {
  const parts = await openCache(environment, PARTS_CACHE);
  for (const { key, bytes } of segments) {
    const stored = await parts?.match(key);
    if (Number(stored?.headers.get("content-length") ?? -1) !== bytes) return false;
  }
  return true;
}

/** @throws {StorageCleared} if the browser has cleared the entry */
export async function read(cache: StoreCache | undefined, key: string): Promise<Response> {
  const response = await cache?.match(key);
  if (!response?.body) throw new StorageCleared();
  return response;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** One stream after the other; each is opened when it is needed. */
export function joined(open: readonly (() => Promise<ReadableStream<Bytes>>)[]): ReadableStream<Bytes> {
  const { readable, writable } = new TransformStream<Bytes, Bytes>();
  const pipe = async (): Promise<void> => {
    for (const one of open) await (await one()).pipeTo(writable, { preventClose: true });
    await writable.close();
  };
  pipe().catch((error) => writable.abort(error).catch(() => {}));
  return readable;
}
