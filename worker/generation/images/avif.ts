/** AVIF (ISO/IEC 14496-12 boxes; `ispe` has the size of an item). */

import type { ByteReader } from "./byte-reader.ts";
import { brokenImage } from "./image-fault.ts";
import type { ImageSize } from "./image-size.ts";

interface Box {
  type: string;
  /** Where its contents begin and end. */
  from: number;
  to: number;
}

/** Real files have some dozen. */
const MAX_BOXES = 10_000;

/** @throws {ImageFault} for boxes that are cut off, or no size among them */
export function avifSize(file: ByteReader): ImageSize {
  const top = boxesOf(file, 0, file.length);
  if (!top.some(({ type }) => type === "mdat")) throw brokenImage("it has no pixels");
  const meta = top.find(({ type }) => type === "meta");
  // `meta` begins with a version and flags.
  const properties = meta && within(file, meta.from + 4, meta.to, ["iprp", "ipco"]);
  const sizes = (properties ?? [])
    .filter(({ type }) => type === "ispe")
    .map(({ from }) => ({ width: file.uint32(from + 4), height: file.uint32(from + 8) }));
  if (sizes.length === 0) throw brokenImage("it has no size");
  return {
    width: Math.max(...sizes.map(({ width }) => width)),
    height: Math.max(...sizes.map(({ height }) => height)),
  };
}

function within(file: ByteReader, from: number, to: number, path: readonly string[]): Box[] | undefined {
  const boxes = boxesOf(file, from, to);
  const [name, ...rest] = path;
  if (name === undefined) return boxes;
  const box = boxes.find(({ type }) => type === name);
  return box && within(file, box.from, box.to, rest);
}

function boxesOf(file: ByteReader, from: number, to: number): Box[] {
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
    if (boxes.length > MAX_BOXES) throw brokenImage("it has too many boxes");
    at += length;
  }
  return boxes;
}
