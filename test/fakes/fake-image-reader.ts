import type { DrawImage } from "../../worker/generation/images/draw-image.ts";
import { type ReadImage, readImage } from "../../worker/generation/images/read-image.ts";

/** Real but for the decoder, which Node lacks: one pixel whose colour depends on the file. */
const draw: DrawImage = async (bytes) => ({
  width: 1,
  height: 1,
  data: Uint8ClampedArray.of(bytes.at(-20) ?? 0, bytes.byteLength, bytes.byteLength >> 8, 255),
});

export const fakeReadImage: ReadImage = ({ url, detail }) =>
  readImage({ source: url, detail, key: new Uint8Array(32) }, draw);
