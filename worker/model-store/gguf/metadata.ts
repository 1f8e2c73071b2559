/** Parses GGUF metadata (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md). */

import { EngineError } from "../../engine-api/engine-error.ts";

export type GgufValue = number | boolean | string | readonly GgufValue[];

/** Metadata by key, such as `general.architecture`. */
export type GgufValues = ReadonlyMap<string, GgufValue>;

export interface GgufMetadata {
  values: GgufValues;
  /** False if the bytes ended within the metadata; later entries are missing. */
  complete: boolean;
}

/** More than any real file; a corrupt one may claim any number. */
const MAX_ENTRIES = 65_536;
/** Elements of all lists: some times the tokens, scores, types and merges of half a million tokens. */
const MAX_ELEMENTS = 2 ** 22;
/** Why a file is {@link NotGguf}. */
export const NO_GGUF = "it does not start with the letters GGUF";
/** Enough for the vocabulary and the template of half a million tokens. */
export const MAX_METADATA_BYTES = 64 * 2 ** 20;

/**
 * Parses the metadata at the start of a file, as far as the bytes reach.
 *
 * @throws {EngineError} `model_load_failed` if the bytes are not GGUF
 */
export function parseMetadata(bytes: Uint8Array): GgufMetadata {
  const reader = new Reader(bytes);
  const values = new Map<string, GgufValue>();
  try {
    if (reader.text(4) !== "GGUF") throw new NotGguf(NO_GGUF);
    const version = reader.uint32();
    if (version !== 2 && version !== 3) throw new NotGguf(`its version is ${version}, not 2 or 3`);
    reader.uint64();
    const entries = reader.uint64();
    if (entries > MAX_ENTRIES)
      throw new NotGguf(`it declares ${entries} metadata entries, which are too many`);
    for (let entry = 0; entry < entries; entry++) {
      const key = reader.string();
      values.set(key, reader.value(reader.uint32()));
    }
    return { values, complete: true };
  } catch (error) {
    if (error instanceof RangeError) return { values, complete: false };
    throw error;
  }
}

/**
 * Reads all metadata of a file.
 *
 * @throws {EngineError} `model_load_failed` if the file is not GGUF, ends within its metadata, or has more than
 * {@link MAX_METADATA_BYTES} of it
 */
export async function readMetadata(file: Blob): Promise<GgufValues> {
  for (let bytes = 1 << 20; ; bytes *= 4) {
    const head = new Uint8Array(await file.slice(0, bytes).arrayBuffer());
    const { values, complete } = parseMetadata(head);
    if (complete) return values;
    if (bytes >= file.size) throw new NotGguf("its header is incomplete");
    if (bytes >= MAX_METADATA_BYTES) throw endlessMetadata();
  }
}

export function endlessMetadata(url?: string): NotGguf {
  return new NotGguf(`its header does not end within ${MAX_METADATA_BYTES / 2 ** 20} MiB`, url);
}

export class NotGguf extends EngineError {
  readonly why: string;

  /** @param url of the file, if it is known; its query may contain a signature */
  constructor(why: string, url?: string) {
    const file = url === undefined ? "The file" : `The file ${url.split("?")[0]}`;
    super("model_load_failed", `${file} is not a usable GGUF model: ${why}.`);
    this.why = why;
  }
}

/** Value readers by GGUF type number. */
const READERS: Record<number, (reader: Reader) => GgufValue> = {
  0: (reader) => reader.number(1, (view, at) => view.getUint8(at)),
  1: (reader) => reader.number(1, (view, at) => view.getInt8(at)),
  2: (reader) => reader.number(2, (view, at) => view.getUint16(at, true)),
  3: (reader) => reader.number(2, (view, at) => view.getInt16(at, true)),
  4: (reader) => reader.uint32(),
  5: (reader) => reader.number(4, (view, at) => view.getInt32(at, true)),
  6: (reader) => reader.number(4, (view, at) => view.getFloat32(at, true)),
  7: (reader) => reader.number(1, (view, at) => view.getUint8(at)) !== 0,
  8: (reader) => reader.string(),
  9: (reader) => reader.array(),
  10: (reader) => reader.uint64(),
  11: (reader) => reader.number(8, (view, at) => Number(view.getBigInt64(at, true))),
  12: (reader) => reader.number(8, (view, at) => view.getFloat64(at, true)),
};

/** Throws a RangeError at the end of the bytes. */
class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  /** Keeps a byte order mark: some tokens begin with one. */
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #at = 0;
  /** Elements of lists so far. */
  #elements = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  uint32(): number {
    return this.number(4, (view, at) => view.getUint32(at, true));
  }

  uint64(): number {
    return this.number(8, (view, at) => view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32);
  }

  number(size: number, read: (view: DataView, at: number) => number): number {
    return read(this.#view, this.#pass(size));
  }

  text(length: number): string {
    const at = this.#pass(length);
    return this.#decoder.decode(this.#bytes.subarray(at, this.#at));
  }

  string(): string {
    return this.text(this.uint64());
  }

  value(type: number): GgufValue {
    const read = READERS[type];
    if (!read) throw new NotGguf(`a metadata value has the unknown type ${type}`);
    return read(this);
  }

  array(): GgufValue[] {
    const type = this.uint32();
    const length = this.uint64();
    // A value takes a byte at least: refused before any memory is taken.
    if (length > this.#bytes.byteLength - this.#at) throw new RangeError("The bytes end here.");
    this.#elements += length;
    if (this.#elements > MAX_ELEMENTS)
      throw new NotGguf(`its lists have more than ${MAX_ELEMENTS} elements, which are too many`);
    const values: GgufValue[] = [];
    for (let at = 0; at < length; at++) values.push(this.value(type));
    return values;
  }

  /** Goes on by so many bytes, and returns where they begin. */
  #pass(length: number): number {
    const at = this.#at;
    if (at + length > this.#bytes.byteLength) throw new RangeError("The bytes end here.");
    this.#at += length;
    return at;
  }
}
