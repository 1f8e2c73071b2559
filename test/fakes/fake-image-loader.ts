import type { DecodePixels } from "../../worker/generation/images/decode-pixels.ts";
import { type LoadImage, preprocessImage } from "../../worker/generation/images/preprocess-image.ts";

/** Real but for the decoder, which Node lacks: one pixel whose colour depends on the file. */
const draw: DecodePixels = async (bytes) => ({
  width: 1,
  height: 1,
  data: Uint8ClampedArray.of(bytes.at(-20) ?? 0, bytes.byteLength, bytes.byteLength >> 8, 255),
});

export const fakeLoadImage: LoadImage = ({ url, detail }) =>
  preprocessImage({ source: url, detail, key: new Uint8Array(32) }, draw);
