/** Encodes screenshots as an animated GIF. */

import gifenc from "gifenc";
import { PNG } from "pngjs";

export interface Frame {
  /** PNG file. All frames have one size. */
  png: Buffer;
  durationMs: number;
}

/** GIF allows 256; one stands for "as before". */
const COLOURS = 255;
const UNCHANGED = COLOURS;

/** Later frames hold only the pixels that change, which keeps the file small. */
export function encodeGif(frames: readonly Frame[]): Uint8Array {
  const images = frames.map(({ png }) => PNG.sync.read(png));
  const { width, height } = images[0]!;
  // The last frame shows all that the others do.
  const palette = gifenc.quantize(images.at(-1)!.data, COLOURS);
  while (palette.length <= UNCHANGED) palette.push([0, 0, 0]);
  const encoder = gifenc.GIFEncoder();
  let shown: Uint8Array | undefined;
  for (const [at, { data }] of images.entries()) {
    const indices = gifenc.applyPalette(data, palette);
    const changes = indices.map((index, pixel) => (shown?.[pixel] === index ? UNCHANGED : index));
    encoder.writeFrame(changes, width, height, {
      ...(at === 0 ? { palette, repeat: 0 } : {}),
      delay: frames[at]!.durationMs,
      transparent: at > 0,
      transparentIndex: UNCHANGED,
      dispose: 1,
    });
    shown = indices;
  }
  encoder.finish();
  return encoder.bytes();
}
