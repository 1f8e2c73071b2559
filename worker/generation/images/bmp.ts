/** Writes BMP, which llama.cpp reads without decompressing. */

const HEAD = 54;

/** A BMP file of 24 bits per pixel. @param pixels RGBA, opaque, from the top left */
export function writeBmp(
  width: number,
  height: number,
  pixels: Uint8ClampedArray | Uint8Array,
): Uint8Array<ArrayBuffer> {
  // Rows are padded to four bytes.
  const stride = Math.ceil((width * 3) / 4) * 4;
  const bytes = new Uint8Array(HEAD + stride * height);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0x424d);
  view.setUint32(2, bytes.byteLength, true);
  view.setUint32(10, HEAD, true);
  view.setUint32(14, 40, true);
  view.setInt32(18, width, true);
  view.setInt32(22, height, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 24, true);
  view.setUint32(34, stride * height, true);
  for (let y = 0; y < height; y++) {
    // From the bottom up, as every reader takes it.
    let to = HEAD + (height - 1 - y) * stride;
    for (let from = y * width * 4; from < (y + 1) * width * 4; from += 4) {
      bytes[to++] = pixels[from + 2]!;
      bytes[to++] = pixels[from + 1]!;
      bytes[to++] = pixels[from]!;
    }
  }
  return bytes;
}
