/** The tracks of an AVIF sequence (ISO/IEC 14496-12, 8.5 to 8.7): its frames, and their transparency. */

import { brokenImage } from "../image-fault.ts";
import type { ImageSize } from "../image-size.ts";
import { type Box, boxesOf } from "./avif-boxes.ts";
import { ByteReader } from "./byte-reader.ts";

interface Track {
  /** As its header and its description say: some decoders scale the frame to the one, some make room for the other. */
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
  return named(inside(file, named(top, "moov")), "trak").flatMap((track) => {
    const boxes = inside(file, [track]);
    const header = headerSize(file, only(boxes, "tkhd"));
    let tables = named(boxes, "mdia");
    for (const name of ["minf", "stbl"]) tables = named(inside(file, tables), name);
    return tables.flatMap((table) => pictureTrack(file, table, header));
  });
}

/** Its whole pixels: it has 16 more bits for parts of one. Version 1 has longer times before it. */
function headerSize(file: ByteReader, { from }: Box): ImageSize {
  const at = from + (file.uint8(from) === 1 ? 88 : 76);
  return { width: file.uint16(at), height: file.uint16(at + 4) };
}

function pictureTrack(file: ByteReader, table: Box, header: ImageSize): Track[] {
  const boxes = inside(file, [table]);
  const { from, to } = only(boxes, "stsd");
  const pictures = named(boxesOf(file, from + 8, to), "av01");
  if (pictures.length === 0) return [];
  const described = pictures.map(({ from: at }) => ({
    width: file.uint16(at + 24),
    height: file.uint16(at + 26),
  }));
  return [{ sizes: [header, ...described], frame: firstFrame(file, boxes) }];
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
