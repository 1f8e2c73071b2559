/** Reads the file format of Hugging Face's safetensors: the length of a JSON header, the header, the tensors' bytes. */

import { isObject } from "../../../../src/shared/is-object.ts";

/** Bytes of the header's length. */
const PREFIX = 8;

/**
 * The numbers of one tensor, row by row; undefined if the file has none of that name.
 *
 * @throws {Error} if the file is damaged, its numbers are not F32, F16 or BF16, or their shape is another
 */
export function readTensor(
  file: ArrayBuffer,
  name: string,
  shape: readonly number[],
): Float32Array | undefined {
  const headerBytes = file.byteLength < PREFIX ? 0 : Number(new DataView(file).getBigUint64(0, true));
  if (headerBytes === 0 || headerBytes > file.byteLength - PREFIX) throw new Error("its header is cut off");
  const header: unknown = JSON.parse(new TextDecoder().decode(new Uint8Array(file, PREFIX, headerBytes)));
  if (!isObject(header)) throw new Error("its header is no JSON object");
  const entry = Object.hasOwn(header, name) ? header[name] : undefined;
  if (entry === undefined) return undefined;
  if (!isTensorEntry(entry)) throw new Error(`its header does not describe '${name}'`);
  if (String(entry.shape) !== String(shape))
    throw new Error(`'${name}' has the shape [${entry.shape}] instead of [${shape}]`);
  const [begin, end] = entry.data_offsets.map((at) => PREFIX + headerBytes + at) as [number, number];
  // A copy, since the numbers may lie at any byte.
  const bytes = file.slice(begin, end);
  const decoder = Object.hasOwn(DECODERS, entry.dtype) ? DECODERS[entry.dtype] : undefined;
  if (!decoder) throw new Error(`the numbers of '${name}' are ${entry.dtype}, not F32, F16 or BF16`);
  if (bytes.byteLength !== shape.reduce((count, size) => count * size, decoder.bytes))
    throw new Error(`'${name}' is cut off`);
  return decoder.decode(bytes);
}

/** By the format's names of types: bytes of a number, and what widens them. */
const DECODERS: Readonly<Record<string, { bytes: number; decode(bytes: ArrayBuffer): Float32Array }>> = {
  F32: { bytes: 4, decode: (bytes) => new Float32Array(bytes) },
  F16: { bytes: 2, decode: (bytes) => Float32Array.from(new Uint16Array(bytes), fromHalf) },
  BF16: {
    bytes: 2,
    // The upper half of a float's bits.
    decode: (bytes) =>
      new Float32Array(Uint32Array.from(new Uint16Array(bytes), (bits) => bits << 16).buffer),
  },
};

/** The number of a half float's bits (IEEE 754 binary16). */
function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = (bits & 1023) / 1024;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (exponent === 0 ? 2 ** -14 * fraction : 2 ** (exponent - 15) * (1 + fraction));
}

interface TensorEntry {
  dtype: string;
  shape: number[];
  /** Begin and end in the bytes after the header. */
  data_offsets: [number, number];
}

function isTensorEntry(value: unknown): value is TensorEntry {
  const isCounts = (list: unknown): list is number[] =>
    Array.isArray(list) && list.every(Number.isSafeInteger);
  return (
    isObject(value) &&
    typeof value.dtype === "string" &&
    isCounts(value.shape) &&
    isCounts(value.data_offsets) &&
    value.data_offsets.length === 2 &&
    value.data_offsets.every((at) => at >= 0)
  );
}
