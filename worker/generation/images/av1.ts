/** Sizes in AV1 data: what a decoder makes room for (AV1 specification, 5.5: sequence headers). */

import type { ByteReader } from "./byte-reader.ts";
import type { ImageSize } from "./image-size.ts";

const SEQUENCE_HEADER = 1;

/** The sizes of all sequence headers. @throws {ImageFault} for data that is cut off */
export function av1Sizes(data: ByteReader): ImageSize[] {
  const sizes: ImageSize[] = [];
  for (let at = 0; at < data.length; ) {
    const head = data.uint8(at);
    at += head & 4 ? 2 : 1;
    let length = data.length - at;
    if (head & 2) {
      length = 0;
      let byte = 0x80;
      for (let group = 0; byte & 0x80 && group < 8; group++) {
        byte = data.uint8(at++);
        length += (byte & 0x7f) * 2 ** (7 * group);
      }
    }
    if (((head >> 3) & 15) === SEQUENCE_HEADER) sizes.push(sequenceSize(new BitReader(data, at)));
    at += length;
  }
  return sizes;
}

function sequenceSize(bits: BitReader): ImageSize {
  // Profile, and whether it is a still picture.
  bits.read(4);
  if (bits.read(1)) bits.read(5);
  else skipOperatingPoints(bits);
  const [widthBits, heightBits] = [bits.read(4) + 1, bits.read(4) + 1];
  return { width: bits.read(widthBits) + 1, height: bits.read(heightBits) + 1 };
}

function skipOperatingPoints(bits: BitReader): void {
  let delayBits = 0;
  if (bits.read(1)) {
    bits.read(32);
    bits.read(32);
    if (bits.read(1)) bits.skipVariable();
    if (bits.read(1)) {
      delayBits = bits.read(5) + 1;
      bits.read(32);
      bits.read(10);
    }
  }
  const hasDelay = bits.read(1);
  for (let points = bits.read(5); points >= 0; points--) {
    bits.read(12);
    if (bits.read(5) > 7) bits.read(1);
    if (delayBits > 0 && bits.read(1)) {
      bits.read(delayBits);
      bits.read(delayBits + 1);
    }
    if (hasDelay && bits.read(1)) bits.read(4);
  }
}

class BitReader {
  readonly #data: ByteReader;
  #at: number;

  /** @param from the first byte */
  constructor(data: ByteReader, from: number) {
    this.#data = data;
    this.#at = 8 * from;
  }

  read(count: number): number {
    let value = 0;
    for (let left = count; left > 0; left--, this.#at++)
      value = 2 * value + ((this.#data.uint8(this.#at >> 3) >> (7 - (this.#at & 7))) & 1);
    return value;
  }

  /** A number with as many zeros in front of it as it has digits. */
  skipVariable(): void {
    let zeros = 0;
    while (!this.read(1)) zeros++;
    if (zeros < 32) this.read(zeros);
  }
}
