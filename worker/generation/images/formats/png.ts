/** PNG (https://www.w3.org/TR/png-3/): chunks with checksums. */

import { brokenImage } from "../image-fault.ts";
import type { ImageSize } from "../image-size.ts";
import type { ByteReader } from "./byte-reader.ts";

/** Length, type and checksum. */
const CHUNK_BYTES = 12;

/** @throws {ImageFault} for a chunk that is cut off or damaged */
export function pngSize(file: ByteReader): ImageSize {
  if (file.text(12, 4) !== "IHDR") throw brokenImage("its first chunk is not its header");
  let hasPixels = false;
  for (let at = 8; ; ) {
    const length = file.uint32(at);
    const type = file.text(at + 4, 4);
    const end = at + CHUNK_BYTES + length;
    if (end > file.length) throw brokenImage("the file ends too early");
    if (crc32(file.bytes.subarray(at + 4, end - 4)) !== file.uint32(end - 4)) {
      throw brokenImage("a checksum does not fit");
    }
    hasPixels ||= type === "IDAT";
    if (type === "IEND") break;
    at = end;
  }
  if (!hasPixels) throw brokenImage("it has no pixels");
  return { width: file.uint32(16), height: file.uint32(20) };
}

const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

export function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = TABLE[(sum ^ byte) & 0xff]! ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}
