/** The image worker in each browser: formats, orientation, the first frame, scaling, and files that are no images. */

import { expect, test } from "vitest";
import type { ImageOutcome } from "../../../worker/generation/images/image-loader.ts";
import type { ImageTask } from "../../../worker/generation/images/preprocess-image.ts";

const worker = new Worker("/package/worker/images.js", { type: "module" });
/** Its first message says so, and has no outcome. */
const loaded = new Promise((resolve) => worker.addEventListener("message", resolve, { once: true }));

async function read(file: BlobPart, detail: ImageTask["detail"] = "auto") {
  const url = await new Promise<string>((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.readAsDataURL(new Blob([file], { type: "image/png" }));
  });
  await loaded;
  const outcome = await new Promise<ImageOutcome>((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = reject;
    const key = new Uint8Array(32);
    worker.postMessage({ source: url, detail, key } satisfies ImageTask);
  });
  if ("failure" in outcome) throw new Error(outcome.failure);
  return outcome.result;
}

async function fixture(name: string): Promise<ArrayBuffer> {
  return (await fetch(`/fixtures/images/${name}`)).arrayBuffer();
}

/** Size of a BMP, and the name of the colour at a place of it. */
function bitmap(bytes: Uint8Array<ArrayBuffer>) {
  const view = new DataView(bytes.buffer);
  const [width, height] = [view.getInt32(18, true), view.getInt32(22, true)];
  const stride = Math.ceil((width * 3) / 4) * 4;
  return {
    size: [width, height],
    colour(x: number, y: number): string {
      const at = 54 + (height - 1 - y) * stride + x * 3;
      return ["blue", "green", "red"].filter((_, channel) => bytes[at + channel]! > 128).join(" ");
    },
  };
}

test.each([
  "quarters.png",
  "quarters.jpg",
  "progressive.jpg",
  "turned.jpg",
  "quarters.webp",
  "lossless.webp",
  "quarters.avif",
  "animated.gif",
  "animated.avif",
])("%s is read upright", async (name) => {
  const result = await read(await fixture(name));
  expect(result).toMatchObject({ ok: true });
  if (!result.ok) return;
  const { size, colour } = bitmap(result.image.bytes);
  expect(size).toEqual([48, 32]);
  expect([colour(8, 8), colour(40, 8), colour(8, 24), colour(40, 24)]).toEqual([
    "red",
    "green",
    "blue",
    "blue green red",
  ]);
  expect(result.image.id).toMatch(/^[0-9a-f]{64}$/);
});

test("large images are scaled to 2,048 pixels, with low detail to 512; transparency becomes white", async () => {
  const canvas = new OffscreenCanvas(4_200, 300);
  const context = canvas.getContext("2d")!;
  context.fillStyle = "red";
  context.fillRect(0, 0, 2_100, 300);
  const file = await canvas.convertToBlob({ type: "image/png" });
  for (const [detail, width, height] of [
    ["high", 2_048, 146],
    ["low", 512, 37],
  ] as const) {
    const result = await read(file, detail);
    if (!result.ok) throw new Error(result.message);
    const { size, colour } = bitmap(result.image.bytes);
    expect(size).toEqual([width, height]);
    expect([colour(10, 10), colour(width - 10, 10)]).toEqual(["red", "blue green red"]);
  }
});

test("what is cut off, or no image, is refused", async () => {
  const jpeg = await fixture("quarters.jpg");
  expect(await read(jpeg.slice(0, 200))).toMatchObject({ ok: false, code: "image_parse_error" });
  expect(await read("<svg xmlns='http://www.w3.org/2000/svg'/>")).toMatchObject({
    ok: false,
    code: "invalid_image_format",
  });
});
