/**
 * Hashes of files. WebCrypto is several times faster than JavaScript but needs the whole file in memory, so it hashes
 * small files only (decision 163).
 */

import { sha1 } from "@noble/hashes/legacy.js";
import { sha256 as sha256Of } from "@noble/hashes/sha2.js";
import { toHex } from "../../../src/shared/hex.ts";
import type { ModelFile } from "../../engine-api/model-files.ts";

/** Larger files are hashed piece by piece. */
export const SMALL_BYTES = 64 * 2 ** 20;

/** The contents of a file, such as a Blob. */
export type Content = Pick<Blob, "size" | "stream" | "arrayBuffer">;

type Algorithm = "SHA-1" | "SHA-256";

/** A hash of bytes that arrive one piece after the other. */
export class RunningHash {
  readonly #hash;

  constructor(algorithm: Algorithm = "SHA-256") {
    this.#hash = (algorithm === "SHA-1" ? sha1 : sha256Of).create();
  }

  update(bytes: Uint8Array): void {
    this.#hash.update(bytes);
  }

  /** Hexadecimal hash of all bytes so far; more may follow. */
  get hex(): string {
    return toHex(this.#hash.clone().digest());
  }
}

/**
 * Whether a file has the published size and hash; unpublished values are not compared.
 *
 * @param hash the content's SHA-256 if it is known; computed otherwise
 */
export async function isWhole(content: Content, file: ModelFile, hash?: string): Promise<boolean> {
  if (file.bytes > 0 && content.size !== file.bytes) return false;
  if (file.sha256 !== undefined) return (hash ?? (await sha256(content))) === file.sha256.toLowerCase();
  return file.gitOid === undefined || (await gitOid(content)) === file.gitOid;
}

const POINTER_START = "version https://git-lfs.github.com/spec/v1\n";
/** The specification limits pointers to fewer bytes. */
const POINTER_BYTES = 1024;

/** Whether it may be a Git LFS pointer, by its size. */
export function isPointerSize(bytes: number): boolean {
  return bytes >= POINTER_START.length && bytes < POINTER_BYTES;
}

/** Whether this is a Git LFS pointer, which repositories contain in place of large files. */
export async function isLfsPointer(content: Content): Promise<boolean> {
  if (!isPointerSize(content.size)) return false;
  return new TextDecoder().decode(await content.arrayBuffer()).startsWith(POINTER_START);
}

/** Hexadecimal. */
export function sha256(content: Content): Promise<string> {
  return digest("SHA-256", content);
}

/** Hexadecimal name of the file in a git repository. */
function gitOid(content: Content): Promise<string> {
  return digest("SHA-1", content, new TextEncoder().encode(`blob ${content.size}\0`));
}

/** @param head bytes before those of the content */
async function digest(algorithm: Algorithm, content: Content, head = new Uint8Array()): Promise<string> {
  if (content.size <= SMALL_BYTES) return digestInMemory(algorithm, content, head);
  const hash = new RunningHash(algorithm);
  hash.update(head);
  await readAll(content.stream(), (bytes) => hash.update(bytes));
  return hash.hex;
}

let last: Promise<unknown> = Promise.resolve();

/** Hashes one file at a time, since each is in memory as a whole. */
function digestInMemory(algorithm: Algorithm, content: Content, head: Uint8Array): Promise<string> {
  const hash = last.then(async () => {
    const bytes = new Uint8Array(head.byteLength + content.size);
    bytes.set(head);
    bytes.set(new Uint8Array(await content.arrayBuffer()), head.byteLength);
    return toHex(new Uint8Array(await crypto.subtle.digest(algorithm, bytes)));
  });
  last = hash.catch(() => {});
  return hash;
}

/** Passes on all bytes of a stream. */
export async function readAll(
  stream: ReadableStream<Uint8Array>,
  onBytes: (bytes: Uint8Array) => void,
): Promise<void> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) onBytes(next.value);
  } catch (error) {
    await reader.cancel(error).catch(() => {});
    throw error;
  }
}
