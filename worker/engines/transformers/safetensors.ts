/** Reads the file format of Hugging Face's safetensors: the length of a JSON header, the header, the tensors' bytes. */

import { Tensor } from "@huggingface/transformers";
import { isObject } from "../../../src/protocol/is-object.ts";

/** Bytes of the header's length. */
const PREFIX = 8;

/**
 * The numbers of one tensor, row by row; undefined if the file has none of that name.
 *
 * @throws {Error} if the file is damaged, its numbers are neither F32 nor F16, or their count is not that of `shape`
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
  const expected = shape.reduce((count, size) => count * size, entry.dtype === "F16" ? 2 : 4);
  if (bytes.byteLength !== expected) throw new Error(`'${name}' is cut off`);
  if (entry.dtype === "F32") return new Float32Array(bytes);
  if (entry.dtype !== "F16") throw new Error(`the numbers of '${name}' are ${entry.dtype}, not F32 or F16`);
  return new Tensor("float16", new Uint16Array(bytes), [...shape]).to("float32").data as Float32Array;
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
