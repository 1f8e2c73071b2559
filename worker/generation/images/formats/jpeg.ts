/** JPEG (ITU-T T.81, annex B): marker segments, and scans between them. */

import { brokenImage } from "../image-fault.ts";
import type { ImageSize } from "../image-size.ts";
import type { ByteReader } from "./byte-reader.ts";

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
/** Tables and the arithmetic coder's conditioning have numbers among those of the frames. */
const NO_FRAME = [0xc4, 0xc8, 0xcc];
/** Real files have a dozen. Each may have a hundred bytes, and takes time for all pixels. */
const MAX_SCANS = 200;

/**
 * Some writers append more after the end.
 *
 * @throws {ImageFault} for a file without frame, scan or end, and for markers that decoders read in different ways
 */
export function jpegSize(file: ByteReader): ImageSize {
  let size: ImageSize | undefined;
  let scans = 0;
  for (let at = 2; ; ) {
    if (file.uint8(at) !== 0xff) throw brokenImage("a segment has no marker");
    const marker = file.uint8(at + 1);
    // Fill bytes may precede a marker.
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === END_OF_IMAGE) {
      if (scans === 0) throw brokenImage("it has no pixels");
      return size!;
    }
    // Some decoders take these for markers without a length, and would find other segments than this loop.
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8)) throw brokenImage("a marker is out of place");
    const length = file.uint16(at + 2);
    if (length < 2) throw brokenImage("a segment is too short");
    const isFrame = marker >= 0xc0 && marker <= 0xcf && !NO_FRAME.includes(marker);
    if (isFrame && size) throw brokenImage("it has two frames");
    if (isFrame) size = { height: file.uint16(at + 5), width: file.uint16(at + 7) };
    at += 2 + length;
    if (marker !== START_OF_SCAN) continue;
    if (!size) throw brokenImage("it has no frame before its pixels");
    if (++scans > MAX_SCANS) throw brokenImage(`it has more than ${MAX_SCANS} scans`);
    at = afterPixels(file, at);
  }
}

/** Where the next marker is: among pixels, 0xff is followed by 0x00 or is part of a restart marker, after fill bytes. */
function afterPixels({ bytes }: ByteReader, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at)) {
    const start = at;
    while (bytes[at] === 0xff) at++;
    const next = bytes[at];
    if (next !== undefined && next !== 0 && (next < 0xd0 || next > 0xd7)) return start;
  }
  throw brokenImage("the file ends too early");
}
