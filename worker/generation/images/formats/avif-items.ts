/** The coded pictures of an AVIF file (ISO/IEC 14496-12: `iinf` names the items, `iloc` says where their data is). */

import { concatBytes } from "../../../http/body/concat-bytes.ts";
import { brokenImage } from "../image-fault.ts";
import type { ImageSize } from "../image-size.ts";
import { type Box, boxesOf } from "./avif-boxes.ts";
import { ByteReader } from "./byte-reader.ts";

interface CodedPictures {
  /** The data of each AV1 picture: the image, its tiles, its transparency. */
  data: ByteReader[];
  /** The sizes of images that are made of tiles. */
  grids: ImageSize[];
}

/**
 * @param meta boxes of the file's `meta` box
 * @throws {ImageFault} for positions outside of the file
 */
export function codedPictures(file: ByteReader, meta: readonly Box[]): CodedPictures {
  const boxOf = (name: string) => meta.find(({ type }) => type === name);
  const [names, places, inside] = [boxOf("iinf"), boxOf("iloc"), boxOf("idat")];
  if (!names || !places) return { data: [], grids: [] };
  const types = itemTypes(file, names);
  const whole: Source = { from: 0, to: file.length };
  let total = 0;
  const items = itemsOf(file, places)
    .filter(({ id, method }) => types.has(id) && method < 2)
    .map(({ id, method, extents }) => {
      const data = concatBytes(partsOf(file, extents, method === 0 ? whole : (inside ?? whole)));
      total += data.byteLength;
      if (total > file.length) throw brokenImage("its pictures are longer than the file");
      return { type: types.get(id), data: new ByteReader(data) };
    });
  return {
    data: items.filter(({ type }) => type === "av01").map(({ data }) => data),
    grids: items.filter(({ type }) => type === "grid").map(({ data }) => gridSize(data)),
  };
}

/** After the version, the flags and the numbers of rows and columns. */
function gridSize(data: ByteReader): ImageSize {
  return data.uint8(1) & 1
    ? { width: data.uint32(4), height: data.uint32(8) }
    : { width: data.uint16(4), height: data.uint16(6) };
}

/** Of items and extents together. Real files have some. Fields may have no bytes: a short box could have any number. */
const MAX_EXTENTS = 10_000;

type Source = Pick<Box, "from" | "to">;

interface Item {
  id: number;
  /** 0: positions in the file, 1: in the `idat` box. */
  method: number;
  extents: { offset: number; length: number }[];
}

/** The types of pictures by their ids. */
function itemTypes(file: ByteReader, { from, to }: Box): Map<number, string> {
  const items = boxesOf(file, from + (file.uint8(from) === 0 ? 6 : 8), to);
  return new Map(
    items.flatMap(({ type, from: at }) => {
      const isLong = type === "infe" && file.uint8(at) === 3;
      const id = isLong ? file.uint32(at + 4) : file.uint16(at + 4);
      const kind = file.text(at + (isLong ? 10 : 8), 4);
      return type === "infe" && ["av01", "grid"].includes(kind) ? [[id, kind] as const] : [];
    }),
  );
}

function itemsOf(file: ByteReader, { from }: Box): Item[] {
  let at = from;
  const next = (bytes: number): number => {
    let value = 0;
    for (let left = bytes; left > 0; left--) value = 256 * value + file.uint8(at++);
    return value;
  };
  const version = next(1);
  next(3);
  const [sizes, moreSizes] = [next(1), next(1)];
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 4, sizes & 15, moreSizes >> 4];
  const indexBytes = version === 0 ? 0 : moreSizes & 15;
  const idBytes = version < 2 ? 2 : 4;
  const items: Item[] = [];
  let count = 0;
  for (let left = next(idBytes); left > 0; left--) {
    if (++count > MAX_EXTENTS) throw brokenImage("its pictures are in too many parts");
    const id = next(idBytes);
    const method = version === 0 ? 0 : next(2) & 15;
    next(2);
    const base = next(baseBytes);
    const extents: Item["extents"] = [];
    for (let more = next(2); more > 0; more--) {
      next(indexBytes);
      if (++count > MAX_EXTENTS) throw brokenImage("its pictures are in too many parts");
      extents.push({ offset: base + next(offsetBytes), length: next(lengthBytes) });
    }
    items.push({ id, method, extents });
  }
  return items;
}

function partsOf(file: ByteReader, extents: Item["extents"], { from, to }: Source): Uint8Array[] {
  let total = 0;
  return extents.map(({ offset, length }) => {
    const start = from + offset;
    // 0: up to the end.
    const end = length === 0 ? to : start + length;
    if (start > end || end > to) throw brokenImage("a picture is outside of the file");
    total += end - start;
    if (total > file.length) throw brokenImage("a picture is longer than the file");
    return file.bytes.subarray(start, end);
  });
}
