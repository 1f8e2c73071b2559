/** GIF (https://www.w3.org/Graphics/GIF/spec-gif89a.txt): blocks up to a trailer. */

import { brokenImage } from "../image-fault.ts";
import type { ImageSize } from "../image-size.ts";
import type { ByteReader } from "./byte-reader.ts";

const IMAGE = 0x2c;
const EXTENSION = 0x21;
const TRAILER = 0x3b;

/** @throws {ImageFault} for blocks that are cut off, or no image among them */
export function gifSize(file: ByteReader): ImageSize {
  const size = { width: file.uint16(6, true), height: file.uint16(8, true) };
  let hasImage = false;
  for (let at = 13 + tableBytes(file.uint8(10)); ; ) {
    const kind = file.uint8(at);
    if (kind === TRAILER) break;
    if (kind === EXTENSION) {
      at = afterBlocks(file, at + 2);
      continue;
    }
    if (kind !== IMAGE) throw brokenImage("it has an unknown block");
    hasImage = true;
    // A frame may exceed the screen that the header describes.
    size.width = Math.max(size.width, file.uint16(at + 1, true) + file.uint16(at + 5, true));
    size.height = Math.max(size.height, file.uint16(at + 3, true) + file.uint16(at + 7, true));
    at = afterBlocks(file, at + 11 + tableBytes(file.uint8(at + 9)));
  }
  if (!hasImage) throw brokenImage("it has no pixels");
  return size;
}

/** Length of the table of colours; 0 if the flags declare none. */
function tableBytes(flags: number): number {
  return flags & 0x80 ? 3 << ((flags & 7) + 1) : 0;
}

function afterBlocks(file: ByteReader, first: number): number {
  for (let at = first; ; ) {
    const length = file.uint8(at);
    if (length === 0) return at + 1;
    at += 1 + length;
  }
}
