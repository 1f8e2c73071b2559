/** Writes GGUF version 3 (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md): metadata, then tensors. */

/** Metadata types written here → their numbers in the format. */
const TYPE = { uint16: 2, uint32: 4, int32: 5, float32: 6, bool: 7, string: 8, array: 9 } as const;

export type MetadataValue =
  | { type: "uint16"; value: number }
  | { type: "uint32"; value: number }
  | { type: "int32"; value: number }
  | { type: "float32"; value: number }
  | { type: "bool"; value: boolean }
  | { type: "string"; value: string }
  | { type: "array"; of: "string"; values: readonly string[] }
  | { type: "array"; of: "int32" | "float32"; values: readonly number[] };

export interface GgufTensor {
  name: string;
  /** Row-major: the last dimension is contiguous. GGUF itself lists dimensions in reverse order. */
  shape: readonly number[];
  encoding: TensorEncoding;
  bytes: Uint8Array;
}

/** Encoding → its type number in ggml. */
const ENCODING = { f32: 0, q8_0: 8 } as const;
export type TensorEncoding = keyof typeof ENCODING;

const VERSION = 3;
/** Alignment of tensors in bytes (the default of `general.alignment`). */
const ALIGNMENT = 32;

/** Deterministic: the same input gives the same bytes. */
export function writeGguf(
  metadata: Readonly<Record<string, MetadataValue>>,
  tensors: readonly GgufTensor[],
): Uint8Array {
  const { bytes, pieces } = layOutGguf(metadata, tensors);
  const file = new Uint8Array(bytes);
  for (const piece of pieces) file.set(piece.bytes, piece.at);
  return file;
}

/** A file as its pieces; the bytes between them are zero. */
export interface GgufLayout {
  /** Size of the file. */
  bytes: number;
  pieces: { at: number; bytes: Uint8Array }[];
}

/** @param alignment of tensors in bytes: `general.alignment`, if it is not the default */
export function layOutGguf(
  metadata: Readonly<Record<string, MetadataValue>>,
  tensors: readonly GgufTensor[],
  alignment = ALIGNMENT,
): GgufLayout {
  const head = new ByteWriter();
  head.raw(new TextEncoder().encode("GGUF"));
  head.uint32(VERSION);
  head.uint64(tensors.length);
  head.uint64(Object.keys(metadata).length);
  for (const [key, value] of Object.entries(metadata)) {
    head.string(key);
    head.uint32(TYPE[value.type]);
    head.value(value);
  }
  const offsets: number[] = [];
  let offset = 0;
  for (const { name, shape, encoding, bytes } of tensors) {
    head.string(name);
    head.uint32(shape.length);
    for (const dimension of shape.toReversed()) head.uint64(dimension);
    head.uint32(ENCODING[encoding]);
    head.uint64(offset);
    offsets.push(offset);
    offset += padded(bytes.byteLength, alignment);
  }
  const start = head.bytes();
  const data = padded(start.byteLength, alignment);
  const stored = tensors.map(({ bytes }, at) => ({ at: data + offsets[at]!, bytes }));
  return { bytes: data + offset, pieces: [{ at: 0, bytes: start }, ...stored] };
}

function padded(length: number, alignment: number): number {
  return Math.ceil(length / alignment) * alignment;
}

class ByteWriter {
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  raw(bytes: Uint8Array): void {
    this.#parts.push(bytes);
    this.#length += bytes.byteLength;
  }

  uint32(value: number): void {
    this.#number(4, (view) => view.setUint32(0, value, true));
  }

  uint64(value: number): void {
    this.#number(8, (view) => view.setBigUint64(0, BigInt(value), true));
  }

  string(text: string): void {
    const bytes = new TextEncoder().encode(text);
    this.uint64(bytes.byteLength);
    this.raw(bytes);
  }

  value(value: MetadataValue): void {
    if (value.type === "uint16") this.#number(2, (view) => view.setUint16(0, value.value, true));
    else if (value.type === "uint32") this.uint32(value.value);
    else if (value.type === "int32") this.#number(4, (view) => view.setInt32(0, value.value, true));
    else if (value.type === "float32") this.#number(4, (view) => view.setFloat32(0, value.value, true));
    else if (value.type === "bool") this.raw(Uint8Array.of(value.value ? 1 : 0));
    else if (value.type === "string") this.string(value.value);
    else this.#array(value);
  }

  bytes(): Uint8Array {
    const whole = new Uint8Array(this.#length);
    let at = 0;
    for (const part of this.#parts) {
      whole.set(part, at);
      at += part.byteLength;
    }
    return whole;
  }

  #array(array: Extract<MetadataValue, { type: "array" }>): void {
    this.uint32(TYPE[array.of]);
    this.uint64(array.values.length);
    if (array.of === "string") for (const text of array.values) this.string(text);
    else for (const value of array.values) this.value({ type: array.of, value });
  }

  #number(size: number, set: (view: DataView) => void): void {
    const bytes = new Uint8Array(size);
    set(new DataView(bytes.buffer));
    this.raw(bytes);
  }
}
