import { describe, expect, test } from "vitest";
import { ImageFault } from "../../../../worker/generation/images/image-fault.ts";
import { inspectImage } from "../../../../worker/generation/images/inspect-image.ts";
import {
  avifOfData,
  hostileImages,
  jpegOfScans,
  largeAvif,
  largeTrack,
  longNumber,
} from "../../../support/images/hostile-images.ts";
import { IMAGE_FILES, imageFile, pngOfSize } from "../../../support/images/image-files.ts";
import { fc } from "../../../support/random.ts";

test.each(IMAGE_FILES)("%s: type and size before it is decoded", (name) => {
  const [width, height] = name === "turned.jpg" ? [32, 48] : [48, 32];
  const ending = name.split(".")[1]!.replace("jpg", "jpeg");
  expect(inspectImage(imageFile(name))).toEqual({ type: `image/${ending}`, width, height });
});

function faultOf(bytes: Uint8Array): string | undefined {
  try {
    inspectImage(bytes);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(ImageFault);
    return (error as ImageFault).code;
  }
}

test.each(IMAGE_FILES)("%s: no beginning of it is an image", (name) => {
  const whole = imageFile(name);
  for (let length = 0; length < whole.length - 1; length++) {
    expect(faultOf(whole.subarray(0, length)), `${length} of ${whole.length} bytes`).toBeDefined();
  }
});

test("flipped bits and random bytes give a fault or a size within the limits", () => {
  const flip = fc.record({ at: fc.nat(), bit: fc.nat(7) });
  fc.assert(
    fc.property(fc.constantFrom(...IMAGE_FILES), fc.array(flip, { minLength: 1 }), (name, flips) => {
      const bytes = imageFile(name);
      for (const { at, bit } of flips) bytes[at % bytes.length]! ^= 1 << bit;
      if (faultOf(bytes) !== undefined) return;
      const { width, height } = inspectImage(bytes);
      expect(width * height).toBeLessThanOrEqual(64 * 2 ** 20);
    }),
    { numRuns: 1_000 },
  );
});

test("every change of a PNG is noticed", () => {
  const whole = imageFile("quarters.png");
  for (let at = 8; at < whole.length; at++) {
    const bytes = whole.slice();
    bytes[at]! ^= 0x10;
    expect(faultOf(bytes), `byte ${at}`).toBeDefined();
  }
});

test("sizes beyond the limits are refused by their number, not decoded", () => {
  expect(faultOf(pngOfSize(16_385, 1))).toBe("image_too_large");
  expect(faultOf(pngOfSize(16_384, 16_384))).toBe("image_too_large");
  expect(faultOf(pngOfSize(8_192, 8_192))).toBeUndefined();
  expect(faultOf(pngOfSize(0, 1))).toBe("image_parse_error");
  expect(faultOf(new Uint8Array())).toBe("empty_image_file");
  expect(faultOf(new TextEncoder().encode("<svg/>"))).toBe("invalid_image_format");
});

/** The JPEG with a segment more, right behind its first marker. */
function withSegment(...segment: number[]): Uint8Array {
  const [start, rest] = [imageFile("quarters.jpg").subarray(0, 2), imageFile("quarters.jpg").subarray(2)];
  return Uint8Array.from([...start, ...segment, ...rest]);
}

test("JPEG: a marker that decoders read as one without a length, and a second frame", () => {
  expect(faultOf(withSegment(0xff, 0xfe, 0, 4, 0, 0))).toBeUndefined();
  for (const marker of [0x00, 0x01, 0x02, 0xbf, 0xd0, 0xd7, 0xd8]) {
    expect(faultOf(withSegment(0xff, marker, 0, 4, 0, 0)), marker.toString(16)).toBe("image_parse_error");
  }
  const frame = [0xff, 0xc0, 0, 11, 8, 0xff, 0xff, 0xff, 0xff, 1, 1, 0x11, 0];
  expect(faultOf(withSegment(...frame))).toBe("image_parse_error");
});

test("JPEG: fill bytes before the restart markers and zeros among its pixels", () => {
  const file = Buffer.from(imageFile("quarters.jpg"));
  const end = file.length - 2;
  const withPixels = (...pixels: number[]): Uint8Array =>
    Buffer.concat([file.subarray(0, end), Buffer.from(pixels), file.subarray(end)]);
  for (const pixels of [[0xff, 0xd0], [0xff, 0xff, 0xd7, 1], [0xff, 0xff, 0xff, 0], [0xff]])
    expect(faultOf(withPixels(...pixels)), pixels.join()).toBeUndefined();
  for (const pixels of [
    [0xff, 0xff, 1],
    [0xff, 0xff, 0xd8],
    [0xff, 0xff, 0xda, 0, 1],
  ])
    expect(faultOf(withPixels(...pixels)), pixels.join()).toBe("image_parse_error");
});

test("JPEG: up to 200 scans, each of which takes time; more may follow the end", () => {
  expect(faultOf(jpegOfScans(200))).toBeUndefined();
  expect(() => inspectImage(jpegOfScans(201))).toThrow("it has more than 200 scans");
  expect(faultOf(Buffer.concat([jpegOfScans(200), jpegOfScans(200)]))).toBeUndefined();
  // An end within a comment between two scans is none.
  const many = Buffer.from(jpegOfScans(201));
  const second = many.indexOf(Buffer.from([0xff, 0xda]), many.indexOf(Buffer.from([0xff, 0xda])) + 2);
  const comment = Buffer.from([0xff, 0xfe, 0, 4, 0xff, 0xd9]);
  const commented = Buffer.concat([many.subarray(0, second), comment, many.subarray(second)]);
  expect(() => inspectImage(commented)).toThrow("it has more than 200 scans");
});

describe("AVIF: the track of a sequence", () => {
  const changed = (change: (file: Buffer) => void): Uint8Array => {
    const file = Buffer.from(imageFile("animated.avif"));
    change(file);
    return file;
  };

  test("has no larger frame than the file says, and one within the file", () => {
    expect(() => inspectImage(largeTrack())).toThrow("it is larger than it says");
    const outside = changed((file) => file.writeUInt32BE(file.length - 1, file.indexOf("stco") + 12));
    expect(() => inspectImage(outside)).toThrow("a frame is outside of the file");
  });

  test("has each table once", () => {
    const none = changed((file) => file.write("free", file.indexOf("stco")));
    expect(() => inspectImage(none)).toThrow("a track has no boxes 'stco'");
    const two = changed((file) => file.write("stsz", file.indexOf("stts")));
    expect(() => inspectImage(two)).toThrow("a track has two boxes 'stsz'");
  });

  test("may say the size alone", () => {
    const itemless = changed((file) => file.write("free", file.indexOf("ispe")));
    expect(inspectImage(itemless)).toEqual({ type: "image/avif", width: 48, height: 32 });
    const wide = changed((file) => file.writeUInt16BE(20_000, file.lastIndexOf("av01") + 28));
    expect(faultOf(wide)).toBe("image_too_large");
    // WebKit scales the frame to the size of the track's header.
    const scaled = (...sides: [number, number]) =>
      changed((file) => {
        for (const [at, side] of sides.entries())
          file.writeUInt16BE(side, file.indexOf("edts") - 12 + 4 * at);
      });
    expect(inspectImage(scaled(16_384, 32))).toMatchObject({ width: 16_384, height: 32 });
    expect(faultOf(scaled(16_384, 16_384))).toBe("image_too_large");
  });
});

test.each([0, 1] as const)(
  "AVIF: data of a larger picture than the file says, header of form %s",
  (reduced) => {
    expect(() => inspectImage(largeAvif(reduced))).toThrow("it is larger than it says");
  },
);

test.each([
  ["of 16 bits", [0, 0, 0, 0, 0x40, 0, 0x40, 0]],
  ["of 32 bits", [0, 1, 0, 0, 0, 0, 0x40, 0, 0, 0, 0x40, 0]],
])("AVIF: a grid of tiles that is larger than the file says, %s", (_, grid) => {
  const file = Buffer.from(imageFile("quarters.avif"));
  file.write("grid", file.indexOf("infe") + 12);
  file.set(grid, 0xfa);
  expect(() => inspectImage(file)).toThrow("it is larger than it says");
});

test("AVIF: boxes are counted through all of a file", () => {
  const box = (name: string, ...contents: Buffer[]): Buffer => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(8 + contents.reduce((sum, { length }) => sum + length, 0));
    head.write(name, 4);
    return Buffer.concat([head, ...contents]);
  };
  const file = Buffer.from(imageFile("animated.avif"));
  const descriptions = Array<Buffer>(9_000).fill(box("av01", Buffer.alloc(70)));
  const tables = [
    box("stsd", Buffer.alloc(8), ...descriptions),
    box("stco", Buffer.alloc(16)),
    box("stsz", Buffer.alloc(16)),
  ];
  const media = box("mdia", box("minf", box("stbl", ...tables)));
  const tracks = Array<Buffer>(20).fill(box("trak", box("tkhd", Buffer.alloc(92)), media));
  const many = Buffer.concat([file.subarray(0, file.readUInt32BE(0)), box("mdat"), box("moov", ...tracks)]);
  expect(() => inspectImage(many)).toThrow("it has too many boxes");
});

test("AVIF: data is read only as far as pictures need it", () => {
  const headers = new Uint8Array(100_000).map((_, at) => (at % 2 ? 0 : 0x0a));
  expect(() => inspectImage(avifOfData(headers))).toThrow("in too many parts");
  expect(() => inspectImage(avifOfData(longNumber()))).toThrow("a number is too long");
});

test("more than 200 hostile files are refused by their headers, or left to the decoder", () => {
  const files = hostileImages();
  expect(files.length).toBeGreaterThanOrEqual(200);
  const passed = files.filter(({ bytes }) => faultOf(bytes) === undefined);
  // The rest is what only a decoder can tell.
  const decoders = ["a size that its pixels do not fill", "a PNG named JPEG"];
  const surprising = passed.filter(({ name, mayBePicture }) => !mayBePicture && !decoders.includes(name));
  expect(surprising.map(({ name }) => name)).toEqual([]);
});
