/** Stores an incomplete download in parts, so that it can resume. */

import { totalBytes } from "../../engine-api/byte-sizes.ts";
import { RunningHash, readAll } from "./integrity.ts";
import { type PartVersion, partKey, partOf } from "./part-key.ts";
import { isQuotaError } from "./quota.ts";
import { joined, read, type Segment } from "./segments.ts";
import type { StoreCache } from "./watched-cache.ts";

/** Bytes per part: the most data that a worker crash can lose. */
const PART_BYTES = 4 * 2 ** 20;

const VALIDATOR = "x-infetch-validator";

type Bytes = Uint8Array<ArrayBuffer>;

/** Bytes that could not be stored have no key. */
type Part = Segment | { key: undefined; bytes: number; blob: Blob };

interface PartialFileOptions extends PartVersion {
  /** Called when a part exceeds the quota; an error that it throws ends the download. */
  onFull?: (error: unknown) => void;
  /** Parts are merged into segments of at most this size. @default Infinity: never */
  segmentBytes?: number;
  /** Whether the SHA-256 is computed as bytes arrive. */
  isHashed?: boolean;
}

/**
 * The parts of one file. A part is complete or absent, because a cache stores a response only after reading all of it.
 * Each part's key contains the offset at which the previous one ended.
 */
export class PartialFile {
  readonly #cache: StoreCache | undefined;
  readonly #id: string;
  readonly #onFull: (error: unknown) => void;
  readonly #segmentBytes: number;
  readonly #isHashed: boolean;
  readonly #version: PartVersion;
  /** Stored parts, followed by those that could not be stored. */
  #parts: Part[] = [];
  #pending: Bytes[] = [];
  #pendingBytes = 0;
  #bytes = 0;
  /** Hash of all bytes; undefined if some were not read yet. */
  #hash: RunningHash | undefined;
  #canMerge = true;
  /** ETag or date of the file's version, if the server sends one. */
  validator: string | undefined;

  private constructor(cache: StoreCache | undefined, id: string, options: PartialFileOptions) {
    this.#cache = cache;
    this.#id = id;
    this.#onFull = options.onFull ?? (() => {});
    this.#segmentBytes = options.segmentBytes ?? Number.POSITIVE_INFINITY;
    this.#isHashed = options.isHashed ?? false;
    this.#version = options;
  }

  /** @param id unique id of the file */
  static async open(
    cache: StoreCache | undefined,
    id: string,
    options: PartialFileOptions = {},
  ): Promise<PartialFile> {
    const file = new PartialFile(cache, id, options);
    for (let key = file.#key(); cache; key = file.#key()) {
      const part = await cache.match(key);
      if (!part) break;
      const bytes = Number(part.headers.get("content-length") ?? (await part.blob()).size);
      // A damaged one: the next key contains its size.
      if (!(bytes > 0)) break;
      file.validator = part.headers.get(VALIDATOR) ?? undefined;
      file.#parts.push({ key, bytes });
      file.#bytes += bytes;
    }
    return file;
  }

  /** Number of bytes received, from the start of the file. */
  get bytes(): number {
    return this.#bytes + this.#pendingBytes;
  }

  /** The stored segments; undefined if the file is small, or not all of it is stored. */
  get segments(): readonly Segment[] | undefined {
    const stored = this.#parts.filter((part) => part.key !== undefined);
    return this.bytes > this.#segmentBytes && stored.length === this.#parts.length ? stored : undefined;
  }

  async add(bytes: Bytes): Promise<void> {
    if (this.#isHashed && this.bytes === 0) this.#hash = new RunningHash();
    const limit = Math.min(PART_BYTES, this.#segmentBytes);
    for (let at = 0; at < bytes.byteLength; ) {
      const piece = bytes.subarray(at, at + limit - this.#pendingBytes);
      at += piece.byteLength;
      this.#pending.push(piece);
      this.#hash?.update(piece);
      this.#pendingBytes += piece.byteLength;
      if (this.#pendingBytes === limit) await this.keep();
    }
  }

  /** Stores the bytes received since the last part, or keeps them in memory if storing fails. */
  async keep(): Promise<void> {
    if (this.#pendingBytes === 0) return;
    const key = this.#key();
    const blob = new Blob(this.#pending);
    // Parts after one that is not stored cannot be found again.
    const isChained = this.#parts.every((part) => part.key !== undefined);
    const isStored = isChained && (await this.#put(key, blob));
    this.#parts.push(isStored ? { key, bytes: blob.size } : { key: undefined, bytes: blob.size, blob });
    this.#bytes += blob.size;
    this.#pending = [];
    this.#pendingBytes = 0;
    await this.#merge(false);
  }

  /** Stores what is left, and merges the last parts of a file that has segments. */
  async seal(): Promise<void> {
    await this.keep();
    if (this.bytes > this.#segmentBytes) await this.#merge(true);
  }

  /**
   * Hashes what an earlier download has stored. If the browser has cleared a part of it, the download restarts.
   *
   * @throws the signal's reason
   */
  async hashStored(signal: AbortSignal): Promise<void> {
    if (!this.#isHashed || this.#hash || this.bytes === 0) return;
    await this.keep();
    const hash = new RunningHash();
    const update = (bytes: Uint8Array): void => {
      signal.throwIfAborted();
      hash.update(bytes);
    };
    try {
      for (const part of this.#parts) await readAll(await this.#open(part), update);
      this.#hash = hash;
    } catch {
      signal.throwIfAborted();
      await this.discard();
    }
  }

  /** SHA-256 of all bytes received, in hexadecimal; undefined if it is not computed here, or not yet. */
  get sha256(): string | undefined {
    return this.#hash?.hex;
  }

  /** All bytes received, as one Blob. @throws {DOMException} if the browser has cleared a stored part */
  async blob(): Promise<Blob> {
    const blobs = this.#parts.map(async (part) =>
      part.key === undefined ? part.blob : (await read(this.#cache, part.key)).blob(),
    );
    return new Blob([...(await Promise.all(blobs)), ...this.#pending]);
  }

  /** Discards all bytes, so that the download restarts. */
  async discard(): Promise<void> {
    // Last part first, so that an interruption leaves no orphaned parts.
    for (const { key } of this.#parts.splice(0).reverse()) {
      if (key !== undefined) await this.#cache?.delete(key);
    }
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#bytes = 0;
    this.#hash = undefined;
    this.validator = undefined;
  }

  /** Deletes all other parts of the file: those of a replaced version, or left by an interruption. */
  async discardOthers(): Promise<void> {
    const used = new Set(this.#parts.map(({ key }) => key));
    for (const { url } of (await this.#cache?.keys()) ?? []) {
      if (partOf(url) === this.#id && !used.has(url)) await this.#cache?.delete(url);
    }
  }

  /**
   * Merges stored parts into segments as large as allowed. A segment replaces its first part, so after an interruption
   * the file continues after it. Failures are harmless: the parts remain.
   *
   * @param isEnd whether no more parts follow, which the last segment would have to wait for
   */
  async #merge(isEnd: boolean): Promise<void> {
    const groups = grouped(this.#parts, this.#segmentBytes);
    for (const group of isEnd ? groups : groups.slice(0, -1)) {
      if (group.length === 1 || group.some(({ key }) => key === undefined)) continue;
      if (!this.#canMerge) return;
      const [{ key }] = group as [Segment];
      const bytes = totalBytes(group);
      const body = joined(group.map((part) => () => this.#open(part)));
      this.#canMerge = await this.#cache!.put(key, this.#response(body, bytes)).then(
        () => true,
        () => false,
      );
      if (!this.#canMerge) return;
      this.#parts.splice(this.#parts.indexOf(group[0]!), group.length, { key, bytes });
      for (const part of group.slice(1).reverse()) await this.#cache!.delete(part.key!).catch(() => {});
    }
  }

  async #open(part: Part): Promise<ReadableStream<Bytes>> {
    return part.key === undefined ? part.blob.stream() : (await read(this.#cache, part.key)).body!;
  }

  async #put(key: string, blob: Blob): Promise<boolean> {
    try {
      await this.#cache?.put(key, this.#response(blob, blob.size));
      return this.#cache !== undefined;
    } catch (error) {
      if (isQuotaError(error)) this.#onFull(error);
      return false;
    }
  }

  #response(body: BodyInit, bytes: number): Response {
    const headers = {
      "content-length": String(bytes),
      ...(this.validator === undefined ? {} : { [VALIDATOR]: this.validator }),
    };
    return new Response(body, { headers });
  }

  #key(): string {
    return partKey(this.#id, this.#version, this.#bytes);
  }
}

/** Consecutive parts whose sizes add up to at most `most`. */
function grouped(parts: readonly Part[], most: number): Part[][] {
  const groups: Part[][] = [];
  let bytes = 0;
  for (const part of parts) {
    const group = groups.at(-1);
    const isNew = !group || bytes + part.bytes > most;
    bytes = isNew ? part.bytes : bytes + part.bytes;
    if (isNew) groups.push([part]);
    else group.push(part);
  }
  return groups;
}
