/**
 * Images of four quarters (red, green / blue, white; 48 × 32), written with sharp 0.34, `animated.avif` with
 * Pillow 12.3; `turned.jpg` is stored on its side, with an EXIF orientation that turns it back, and the second frames of
 * animated ones are black.
 */

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { crc32 } from "../../../worker/generation/images/formats/png.ts";

const folder = resolve(import.meta.dirname, "../../fixtures/images");

export const IMAGE_FILES = [
  "quarters.png",
  "quarters.jpg",
  "progressive.jpg",
  "turned.jpg",
  "quarters.webp",
  "lossless.webp",
  "quarters.avif",
  "animated.gif",
  "animated.avif",
] as const;

export function imageFile(name: (typeof IMAGE_FILES)[number]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(readFileSync(resolve(folder, name)));
}

/** The PNG with another size in its header. */
export function pngOfSize(width: number, height: number): Uint8Array<ArrayBuffer> {
  const bytes = imageFile("quarters.png");
  const view = new DataView(bytes.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  view.setUint32(29, crc32(bytes.subarray(12, 29)));
  return bytes;
}

export function dataURL(bytes: Uint8Array, type = "image/png"): string {
  return `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;
}
