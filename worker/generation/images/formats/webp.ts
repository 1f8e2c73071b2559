/** WebP (RFC 9649): a RIFF container. */

import { brokenImage } from "../image-fault.ts";
import type { ImageSize } from "../image-size.ts";
import type { ByteReader } from "./byte-reader.ts";

/** @throws {ImageFault} for a file that is cut off, or has no image */
export function webpSize(file: ByteReader): ImageSize {
  const end = 8 + file.uint32(4, true);
  if (end > file.length) throw brokenImage("the file ends too early");
  const size = { width: 0, height: 0 };
  for (let at = 12; at + 8 <= end; ) {
    const length = file.uint32(at + 4, true);
    if (at + 8 + length > end) throw brokenImage("a chunk is longer than the file");
    const found = chunkSize(file, file.text(at, 4), at + 8);
    size.width = Math.max(size.width, found?.width ?? 0);
    size.height = Math.max(size.height, found?.height ?? 0);
    at += 8 + length + (length % 2);
  }
  if (size.width === 0) throw brokenImage("it has no pixels");
  return size;
}

/** The size in a chunk; undefined for chunks without one. @param at where the chunk's contents begin */
function chunkSize(file: ByteReader, type: string, at: number): ImageSize | undefined {
  if (type === "VP8 ") {
    return { width: file.uint16(at + 6, true) & 0x3fff, height: file.uint16(at + 8, true) & 0x3fff };
  }
  if (type === "VP8L") {
    const bits = file.uint32(at + 1, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (type !== "VP8X") return undefined;
  const uint24 = (from: number): number => file.uint16(from, true) + (file.uint8(from + 2) << 16);
  return { width: uint24(at + 4) + 1, height: uint24(at + 7) + 1 };
}
