/** Finds out what an image is before anything decodes it: its format, its size, and whether the file is whole. */

import { avifSize } from "./formats/avif.ts";
import { ByteReader } from "./formats/byte-reader.ts";
import { gifSize } from "./formats/gif.ts";
import { jpegSize } from "./formats/jpeg.ts";
import { pngSize } from "./formats/png.ts";
import { webpSize } from "./formats/webp.ts";
import { brokenImage, ImageFault } from "./image-fault.ts";
import type { ImageSize } from "./image-size.ts";

export interface InspectedImage extends ImageSize {
  /** MIME type. */
  type: string;
}

/** 256 MiB when decoded; more than phones take by default. */
const MAX_PIXELS = 64 * 2 ** 20;
/** Longest side of a canvas in every browser. */
const MAX_SIDE = 16_384;

const FORMATS: {
  type: string;
  isIt: (file: ByteReader) => boolean;
  size: (file: ByteReader) => ImageSize;
}[] = [
  { type: "image/png", isIt: (file) => file.text(0, 8) === "\x89PNG\r\n\x1a\n", size: pngSize },
  { type: "image/jpeg", isIt: (file) => file.text(0, 3) === "\xff\xd8\xff", size: jpegSize },
  { type: "image/gif", isIt: (file) => /^GIF8[79]a/.test(file.text(0, 6)), size: gifSize },
  { type: "image/webp", isIt: (file) => /^RIFF.{4}WEBP/s.test(file.text(0, 12)), size: webpSize },
  { type: "image/avif", isIt: isAvif, size: avifSize },
];

/** @throws {ImageFault} */
export function inspectImage(bytes: Uint8Array): InspectedImage {
  if (bytes.byteLength === 0) throw new ImageFault("empty_image_file", "The image is empty.");
  const file = new ByteReader(bytes);
  const format = FORMATS.find(({ isIt }) => isIt(file));
  if (!format) {
    throw new ImageFault(
      "invalid_image_format",
      "The image is in a format that is not supported. Send PNG, JPEG, WebP, AVIF or GIF.",
    );
  }
  const { width, height } = format.size(file);
  if (width < 1 || height < 1) throw brokenImage("it has no pixels");
  if (width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_PIXELS) {
    throw new ImageFault(
      "image_too_large",
      `The image has ${width} × ${height} pixels. At most ${MAX_SIDE} in a side and ${MAX_PIXELS} in all are supported.`,
    );
  }
  return { type: format.type, width, height };
}

/** The brand, or a compatible one; `avis` is that of sequences. */
function isAvif(file: ByteReader): boolean {
  return file.text(4, 4) === "ftyp" && /avi[fs]/.test(file.text(8, Math.min(file.uint32(0), 256) - 8));
}
