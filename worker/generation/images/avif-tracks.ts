/** The tracks of an AVIF sequence (ISO/IEC 14496-12, 8.5 to 8.7): its frames, and their transparency. */

import { type Box, boxesOf } from "./avif-boxes.ts";
import { ByteReader } from "./byte-reader.ts";
import { brokenImage } from "./image-fault.ts";
import type { ImageSize } from "./image-size.ts";

interface Track {
  /** As its description says. */
  sizes: ImageSize[];
  /** AV1 data of its first frame. */
  frame: ByteReader;
}

/**
 * The tracks of AV1 pictures. Of several descriptions, all are read.
 *
 * @throws {ImageFault} for a box that is missing or there twice, and a frame outside of the file
 */
export function tracksOf(file: ByteReader, top: readonly Box[]): Track[] {
  let tables = named(top, "moov");
  for (const name of ["trak", "mdia", "minf", "stbl"]) tables = named(inside(file, tables), name);
  return tables.flatMap((table) => {
    const boxes = inside(file, [table]);
    const { from, to } = only(boxes, "stsd");
    const pictures = named(boxesOf(file, from + 8, to), "av01");
    if (pictures.length === 0) return [];
    const sizes = pictures.map(({ from: at }) => ({
      width: file.uint16(at + 24),
      height: file.uint16(at + 26),
    }));
    return [{ sizes, frame: firstFrame(file, boxes) }];
  });
}

function named(boxes: readonly Box[], ...names: string[]): Box[] {
  return boxes.filter(({ type }) => names.includes(type));
}

function inside(file: ByteReader, boxes: readonly Box[]): Box[] {
  return boxes.flatMap(({ from, to }) => boxesOf(file, from, to));
}

function firstFrame(file: ByteReader, boxes: readonly Box[]): ByteReader {
  const { type, from: places } = only(boxes, "stco", "co64");
  const high = type === "co64" ? file.uint32(places + 8) * 2 ** 32 : 0;
  const start = high + file.uint32(places + (type === "co64" ? 12 : 8));
  const { from: lengths } = only(boxes, "stsz");
  // 0: each frame has its own length.
  const end = start + (file.uint32(lengths + 4) || file.uint32(lengths + 12));
  if (end > file.length) throw brokenImage("a frame is outside of the file");
  return new ByteReader(file.bytes.subarray(start, end));
}

/** Decoders may read another one of several. */
function only(boxes: readonly Box[], ...names: string[]): Box {
  const [box, second] = named(boxes, ...names);
  if (!box || second) throw brokenImage(`a track has ${box ? "two" : "no"} boxes '${names[0]}'`);
  return box;
}
