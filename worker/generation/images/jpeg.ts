/** JPEG (ITU-T T.81, annex B): marker segments, then scans. */

import type { ByteReader } from "./byte-reader.ts";
import { brokenImage } from "./image-fault.ts";
import type { ImageSize } from "./image-size.ts";

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
/** Tables and the arithmetic coder's conditioning have numbers among those of the frames. */
const NO_FRAME = [0xc4, 0xc8, 0xcc];

/** @throws {ImageFault} for a file without frame, scan or end, and for markers that decoders read in different ways */
export function jpegSize(file: ByteReader): ImageSize {
  let size: ImageSize | undefined;
  let at = 2;
  for (;;) {
    if (file.uint8(at) !== 0xff) throw brokenImage("a segment has no marker");
    const marker = file.uint8(at + 1);
    // Fill bytes may precede a marker.
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === START_OF_SCAN) break;
    if (marker === END_OF_IMAGE) throw brokenImage("it has no pixels");
    // Some decoders take these for markers without a length, and would find other segments than this loop.
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8)) throw brokenImage("a marker is out of place");
    const length = file.uint16(at + 2);
    if (length < 2) throw brokenImage("a segment is too short");
    const isFrame = marker >= 0xc0 && marker <= 0xcf && !NO_FRAME.includes(marker);
    if (isFrame && size) throw brokenImage("it has two frames");
    if (isFrame) size = { height: file.uint16(at + 5), width: file.uint16(at + 7) };
    at += 2 + length;
  }
  if (!size) throw brokenImage("it has no frame before its pixels");
  if (!endsBehind(at, file)) throw brokenImage("the file ends too early");
  return size;
}

/** Whether an end follows the scan that begins at `scan`; some writers append more to it. */
function endsBehind(scan: number, { bytes }: ByteReader): boolean {
  // In scans, 0xff is followed by 0x00 or a restart marker.
  for (let at = bytes.byteLength - 2; at > scan; at--) {
    if (bytes[at] === 0xff && bytes[at + 1] === END_OF_IMAGE) return true;
  }
  return false;
}
