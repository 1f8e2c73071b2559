/** AVIF: `ispe` and tracks have the size that the file says, AV1 data the size that a decoder makes room for. */

import { brokenImage } from "../image-fault.ts";
import type { ImageSize } from "../image-size.ts";
import { av1Sizes } from "./av1.ts";
import { type Box, boxesOf } from "./avif-boxes.ts";
import { codedPictures } from "./avif-items.ts";
import { tracksOf } from "./avif-tracks.ts";
import type { ByteReader } from "./byte-reader.ts";

/** @throws {ImageFault} for boxes that are cut off, no size among them, or data of a larger picture */
export function avifSize(file: ByteReader): ImageSize {
  const top = boxesOf(file, 0, file.length);
  if (!top.some(({ type }) => type === "mdat")) throw brokenImage("it has no pixels");
  const meta = top.find(({ type }) => type === "meta");
  // `meta` begins with a version and flags.
  const inside = meta ? boxesOf(file, meta.from + 4, meta.to) : [];
  const sizes = within(file, inside, ["iprp", "ipco"])
    .filter(({ type }) => type === "ispe")
    .map(({ from }) => ({ width: file.uint32(from + 4), height: file.uint32(from + 8) }));
  // Of a sequence, browsers show the first frame of its track, or the item.
  const tracks = tracksOf(file, top);
  sizes.push(...tracks.flatMap((track) => track.sizes));
  if (sizes.length === 0) throw brokenImage("it has no size");
  const said = largest(sizes);
  const { data, grids } = codedPictures(file, inside);
  const coded = largest([...grids, ...av1Sizes([...data, ...tracks.map(({ frame }) => frame)])]);
  if (coded.width > said.width || coded.height > said.height) throw brokenImage("it is larger than it says");
  return said;
}

function largest(sizes: readonly ImageSize[]): ImageSize {
  const size = { width: 0, height: 0 };
  for (const { width, height } of sizes) {
    size.width = Math.max(size.width, width);
    size.height = Math.max(size.height, height);
  }
  return size;
}

/** The boxes in that of a path; none without one. */
function within(file: ByteReader, boxes: readonly Box[], [name, ...rest]: readonly string[]): readonly Box[] {
  if (name === undefined) return boxes;
  const box = boxes.find(({ type }) => type === name);
  return box ? within(file, boxesOf(file, box.from, box.to), rest) : [];
}
