/** Boxes of ISO/IEC 14496-12, of which AVIF files are made. */

import { brokenImage } from "../image-fault.ts";
import type { ByteReader } from "./byte-reader.ts";

export interface Box {
  type: string;
  /** Where its contents begin and end. */
  from: number;
  to: number;
}

/** Of a file, in boxes of boxes, too. Real files have some dozen. */
const MAX_BOXES = 10_000;

/** Of each file, how many were read. */
const counts = new WeakMap<ByteReader, number>();

/** @throws {ImageFault} for a box that is cut off, and for too many in a file */
export function boxesOf(file: ByteReader, from: number, to: number): Box[] {
  const boxes: Box[] = [];
  for (let at = from; at < to; ) {
    let length = file.uint32(at);
    let head = 8;
    // 1: a 64-bit length follows; 0: up to the end.
    if (length === 1) {
      length = file.uint32(at + 8) * 2 ** 32 + file.uint32(at + 12);
      head = 16;
    } else if (length === 0) length = to - at;
    if (length < head || at + length > to) throw brokenImage("a box is longer than the file");
    boxes.push({ type: file.text(at + 4, 4), from: at + head, to: at + length });
    const count = (counts.get(file) ?? 0) + 1;
    if (count > MAX_BOXES) throw brokenImage("it has too many boxes");
    counts.set(file, count);
    at += length;
  }
  return boxes;
}
