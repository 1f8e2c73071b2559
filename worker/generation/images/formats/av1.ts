/** Sizes in AV1 data: what a decoder makes room for (AV1 specification, 5.5: sequence headers). */

import { brokenImage } from "../image-fault.ts";
import type { ImageSize } from "../image-size.ts";
import type { ByteReader } from "./byte-reader.ts";

const SEQUENCE_HEADER = 1;

/** Real files have a few in each picture. Empty ones have two bytes. */
const MAX_UNITS = 10_000;

/** The sizes of all sequence headers of pictures. @throws {ImageFault} for data that is cut off, or in too many units */
export function av1Sizes(pictures: readonly ByteReader[]): ImageSize[] {
  const sizes: ImageSize[] = [];
  let units = 0;
  for (const data of pictures) {
    for (const { type, at } of unitsOf(data)) {
      if (++units > MAX_UNITS) throw brokenImage("its pictures are in too many parts");
      if (type === SEQUENCE_HEADER) sizes.push(sequenceSize(new BitReader(data, at)));
    }
  }
  return sizes;
}

/** @yields each unit's type and where its contents begin */
function* unitsOf(data: ByteReader): Generator<{ type: number; at: number }> {
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
    yield { type: (head >> 3) & 15, at };
    at += length;
  }
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

  /** A number with as many zeros in front of it as it has digits. @throws {ImageFault} for one of more than 32 bits */
  skipVariable(): void {
    let zeros = 0;
    while (!this.read(1)) if (++zeros === 32) throw brokenImage("a number is too long");
    this.read(zeros);
  }
}
