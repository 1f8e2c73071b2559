/** Broken and hostile image files. The same for the same number. */

import { deflateSync, gzipSync } from "node:zlib";
import { crc32 } from "../../../worker/generation/images/formats/png.ts";
import { IMAGE_FILES, imageFile, pngOfSize } from "./image-files.ts";

interface HostileImage {
  name: string;
  bytes: Uint8Array;
  /** Whether a browser may find a picture in it: a flipped bit of a pixel is a pixel. */
  mayBePicture: boolean;
}

/** More than 200. */
export function hostileImages(): HostileImage[] {
  const random = numbers();
  const broken = IMAGE_FILES.flatMap((name) => {
    const whole = imageFile(name);
    const truncated = Array.from({ length: 10 }, (_, at) => ({
      name: `${name} up to ${at * 10} %`,
      bytes: whole.subarray(0, Math.floor((whole.length * at) / 10)),
      mayBePicture: false,
    }));
    const flipped = Array.from({ length: 12 }, (_, at) => {
      const bytes = whole.slice();
      for (let flips = 0; flips < 1 + at; flips++) {
        const place = Math.floor(random() * bytes.length);
        bytes[place] = bytes[place]! ^ (1 << Math.floor(random() * 8));
      }
      return { name: `${name} with ${at + 1} bits flipped, ${at}`, bytes, mayBePicture: true };
    });
    return [...truncated, ...flipped];
  });
  const text = (of: string): Uint8Array => new TextEncoder().encode(of);
  const others: [string, Uint8Array][] = [
    ["SVG", text('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ["HTML", text("<!doctype html><img src=x onerror=alert(1)>")],
    ["PDF", text("%PDF-1.7\n")],
    ["BMP", text(`BM${"\0".repeat(60)}`)],
    ["TIFF", text("II*\0\x08\0\0\0")],
    ["zeros", new Uint8Array(4_096)],
    ["one byte", Uint8Array.of(0x89)],
    ["a PNG signature alone", imageFile("quarters.png").subarray(0, 8)],
    ["huge", pngOfSize(16_384, 16_384)],
    ["the longest side", pngOfSize(2 ** 31 - 1, 1)],
    ["no width", pngOfSize(0, 10)],
    ["a size that its pixels do not fill", pngOfSize(8_000, 8_000)],
    ["a bomb", bomb()],
    ["a PNG named JPEG", text(`\xff\xd8\xff\x89PNG${"x".repeat(100)}`)],
    ["a JPEG of scans", jpegOfScans(201)],
    ["a GIF of blocks without end", gifOfBlocks()],
    ["an AVIF of boxes", avifOfBoxes()],
    ["ICO", Uint8Array.of(0, 0, 1, 0, 1, 0, 16, 16, 0, 0, 1, 0, 32, 0, 4, 0, 0, 0, 22, 0, 0, 0)],
    ["HEIC", text("\0\0\0\x18ftypheic\0\0\0\0mif1heic")],
    ["MP4", text("\0\0\0\x18ftypisom\0\0\0\0isomavc1")],
    ["ZIP", text(`PK\x03\x04${"\0".repeat(26)}`)],
    ["a compressed PNG", gzipSync(imageFile("quarters.png"))],
    ["JSON", text('{"image_url":{"url":"data:image/png;base64,"}}')],
    ["a GIF of 65,535 × 65,535", changed("animated.gif", 6, 0xff, 0xff, 0xff, 0xff)],
    ["a WebP of 4 GB", changed("quarters.webp", 4, 0xff, 0xff, 0xff, 0xff)],
    ["a WebP without a picture", text("RIFF\x04\0\0\0WEBP")],
    ["a JPEG that has ended", Uint8Array.of(0xff, 0xd8, 0xff, 0xd9)],
    ["an AVIF whose data has 16,384 × 16,384 pixels", largeAvif(0b1)],
    ["the same with operating points", largeAvif(0b0)],
    ["an AVIF sequence whose frame has 16,384 × 16,384 pixels", largeTrack()],
    [
      "an AVIF of sequence headers",
      avifOfData(new Uint8Array(1_000_000).map((_, at) => (at % 2 ? 0 : 0x0a))),
    ],
    ["an AVIF of a number without end", avifOfData(longNumber())],
    ["an AVIF of extents without bytes", changed("quarters.avif", 0x63, 0, 0, 0, 1, 0, 1, 0, 0, 0xff, 0xff)],
    ["an AVIF whose picture ends after the file", changed("quarters.avif", 0x75, 0x7f)],
    ["an AVIF box of no length", changed("quarters.avif", 0, 0, 0, 0, 0)],
    [
      "a PNG within a PNG",
      Buffer.concat([imageFile("quarters.png").subarray(0, 8), imageFile("quarters.png")]),
    ],
  ];
  return [...broken, ...others.map(([name, bytes]) => ({ name, bytes, mayBePicture: false }))];
}

/** 60 megapixels of zeros, which inflate a thousandfold, and then end: one row is missing. */
function bomb(): Uint8Array {
  const side = 7_900;
  const pixels = deflateSync(new Uint8Array((side * 3 + 1) * 100));
  const chunk = (type: string, data: Uint8Array): Buffer => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side * 20, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = imageFile("quarters.png").subarray(0, 8);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", pixels),
    chunk("IEND", new Uint8Array()),
  ]);
}

function changed(name: (typeof IMAGE_FILES)[number], at: number, ...bytes: number[]): Uint8Array {
  const file = imageFile(name);
  file.set(bytes, at);
  return file;
}

/** The last scan of the progressive JPEG many times, which then has so many in all. */
export function jpegOfScans(scans: number): Uint8Array {
  const file = Buffer.from(imageFile("progressive.jpg"));
  const start = Buffer.from([0xff, 0xda]);
  const before = file.toString("latin1").split(start.toString("latin1")).length - 1;
  const [last, end] = [file.lastIndexOf(start), file.length - 2];
  const more = Array<Buffer>(scans - before).fill(file.subarray(last, end));
  return Buffer.concat([file.subarray(0, end), ...more, file.subarray(end)]);
}

function gifOfBlocks(): Uint8Array {
  const head = imageFile("animated.gif").subarray(0, 13);
  const bytes = new Uint8Array(1_000_000);
  bytes.set(head);
  // No table of colours, then extensions only.
  bytes[10] = 0;
  for (let at = 13; at + 3 <= bytes.length; at += 3) bytes.set([0x21, 0xf9, 0], at);
  return bytes;
}

function avifOfBoxes(): Uint8Array {
  const file = imageFile("quarters.avif");
  const ftyp = file.subarray(0, new DataView(file.buffer).getUint32(0));
  const boxes = new Uint8Array(800_000);
  for (let at = 0; at < boxes.length; at += 8) boxes.set([0, 0, 0, 8, 0x66, 0x72, 0x65, 0x65], at);
  return Buffer.concat([ftyp, boxes]);
}

/** The AVIF with a sequence header of 16,384 × 16,384 in place of its own. @param reduced its form */
export function largeAvif(reduced: 0 | 1): Uint8Array {
  const file = imageFile("quarters.avif");
  // From the start of its data.
  file.set(largeData(reduced), 0xfa);
  return file;
}

/** The sequence whose track has a first frame of 16,384 × 16,384, after the file's own data. */
export function largeTrack(): Uint8Array {
  const file = Buffer.from(imageFile("animated.avif"));
  const data = Buffer.alloc(100);
  data.set(largeData(1), 8);
  data.writeUInt32BE(data.length);
  data.write("mdat", 4);
  file.writeUInt32BE(file.length + 8, file.indexOf("stco") + 12);
  return Buffer.concat([file, data]);
}

/** A delimiter, and a sequence header with its length. */
function largeData(reduced: 0 | 1): number[] {
  const points = reduced ? "00000" : `0${"0"}00000${"0".repeat(12)}00000`;
  const side = "1".repeat(14);
  const bits = `0011${reduced}${points}11011101${side}${side}`.padEnd(80, "0");
  const header = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  return [0x12, 0, 0x0a, header.length, ...header];
}

/** The AVIF with other AV1 data. */
export function avifOfData(data: Uint8Array): Uint8Array {
  const head = imageFile("quarters.avif").subarray(0, 0xfa);
  const numbers = new DataView(head.buffer, head.byteOffset);
  numbers.setUint32(0x75, data.length);
  numbers.setUint32(0xf2, 8 + data.length);
  return Buffer.concat([head, data]);
}

/** A sequence header with timing, of which the time between pictures is all zeros. */
export function longNumber(): Uint8Array {
  const data = new Uint8Array(1_000_000);
  data.set([0x0a, 0x7f, 0b00000100, 0, 0, 0, 0, 0, 0, 0, 0b00000010]);
  return data;
}

function numbers(): () => number {
  let state = 7;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
