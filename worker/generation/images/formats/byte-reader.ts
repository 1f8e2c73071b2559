import { brokenImage } from "../image-fault.ts";

/** Reads numbers and texts at positions of a file. @throws {ImageFault} past the end */
export class ByteReader {
  readonly bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get length(): number {
    return this.bytes.byteLength;
  }

  uint8(at: number): number {
    return this.#number(at, 1, () => this.#view.getUint8(at));
  }

  uint16(at: number, littleEndian = false): number {
    return this.#number(at, 2, () => this.#view.getUint16(at, littleEndian));
  }

  uint32(at: number, littleEndian = false): number {
    return this.#number(at, 4, () => this.#view.getUint32(at, littleEndian));
  }

  /** Latin-1; shorter at the end of the file. */
  text(at: number, length: number): string {
    return String.fromCharCode(...this.bytes.subarray(at, at + length));
  }

  #number(at: number, size: number, read: () => number): number {
    if (at + size > this.length) throw brokenImage("the file ends too early");
    return read();
  }
}
