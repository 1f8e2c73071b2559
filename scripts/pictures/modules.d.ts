/** Packages without types: what is used of them. */

declare module "gifenc" {
  type Palette = number[][];
  interface Encoder {
    writeFrame(
      indices: Uint8Array,
      width: number,
      height: number,
      options: {
        palette?: Palette;
        /** Milliseconds. */
        delay?: number;
        /** 0 repeats without end. */
        repeat?: number;
        transparent?: boolean;
        transparentIndex?: number;
        /** 1 leaves the previous frame in place. */
        dispose?: number;
      },
    ): void;
    finish(): void;
    bytes(): Uint8Array;
  }
  const gifenc: {
    GIFEncoder(): Encoder;
    quantize(rgba: Uint8Array, colours: number): Palette;
    applyPalette(rgba: Uint8Array, palette: Palette): Uint8Array;
  };
  export default gifenc;
}

declare module "pngjs" {
  export const PNG: { sync: { read(file: Buffer): { width: number; height: number; data: Buffer } } };
}
