/** Decodes and scales an image with the browser's own decoders. */

import { brokenImage, ImageFault } from "./image-fault.ts";
import type { ImageSize } from "./image-size.ts";
import type { InspectedImage } from "./inspect-image.ts";

/** An image's pixels: RGBA, opaque, from the top left. */
interface Pixels extends ImageSize {
  data: Uint8ClampedArray;
}

export type DecodePixels = (
  bytes: Uint8Array<ArrayBuffer>,
  image: InspectedImage,
  longestSide: number,
) => Promise<Pixels>;

/**
 * The first frame, turned as its EXIF data says, on white, and scaled down to the longest side.
 *
 * @throws {ImageFault}
 */
export const decodePixels: DecodePixels = async (bytes, image, longestSide) => {
  if (typeof OffscreenCanvas === "undefined" || typeof createImageBitmap === "undefined") {
    throw new ImageFault("invalid_image_format", "This browser cannot decode images in workers.");
  }
  const bitmap = await createImageBitmap(new Blob([bytes], { type: image.type }), {
    imageOrientation: "from-image",
  }).catch((cause) => {
    throw Object.assign(brokenImage("the browser's decoder refuses it"), { cause });
  });
  try {
    const { width, height } = bitmap;
    if (exceeds(bitmap, image)) throw brokenImage("it is larger than it says");
    const scale = Math.min(1, longestSide / Math.max(width, height));
    const size = { width: scaled(width, scale), height: scaled(height, scale) };
    return { ...size, data: pixelsOf(bitmap, size) };
  } finally {
    bitmap.close();
  }
};

/** Whether an image, maybe turned, has more pixels than its file says. */
function exceeds(drawn: ImageSize, said: ImageSize): boolean {
  const [long, short] = [Math.max(drawn.width, drawn.height), Math.min(drawn.width, drawn.height)];
  return long > Math.max(said.width, said.height) || short > Math.min(said.width, said.height);
}

function scaled(length: number, scale: number): number {
  return Math.max(1, Math.round(length * scale));
}

/** Halves the image until one step is left: browsers sample too few pixels of larger steps. */
function pixelsOf(bitmap: ImageBitmap, target: ImageSize): Uint8ClampedArray {
  let source: ImageBitmap | OffscreenCanvas = bitmap;
  for (;;) {
    const width = Math.max(target.width, Math.ceil(source.width / 2));
    const height = Math.max(target.height, Math.ceil(source.height / 2));
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext("2d", { willReadFrequently: true });
    if (!context) throw brokenImage("this browser has no canvas for it");
    context.fillStyle = "white";
    context.fillRect(0, 0, width, height);
    context.imageSmoothingQuality = "high";
    context.drawImage(source, 0, 0, width, height);
    if (width === target.width && height === target.height)
      return context.getImageData(0, 0, width, height).data;
    source = canvas;
  }
}
