import { expect, test } from "vitest";
import type { Timers } from "../../../../worker/clock.ts";
import { writeBmp } from "../../../../worker/generation/images/bmp.ts";
import { ImageReader } from "../../../../worker/generation/images/image-reader.ts";
import { readImage } from "../../../../worker/generation/images/read-image.ts";
import { readURL } from "../../../../worker/generation/images/read-url.ts";
import { fakeReadImage } from "../../../fakes/fake-image-reader.ts";
import { dataURL, imageFile } from "../../../support/images/image-files.ts";

const png = imageFile("quarters.png");
const signal = new AbortController().signal;
const read = (url: string, allowsRemote = false) =>
  fakeReadImage({ url, detail: "auto", allowsRemote }, signal);

const BAD: [url: string, code: string][] = [
  ["", "invalid_image_url"],
  ["cat.png", "invalid_image_url"],
  ["javascript:alert(1)", "invalid_image_url"],
  ["file:///etc/passwd", "invalid_image_url"],
  ["blob:https://app.test/1", "invalid_image_url"],
  ["https://example.com/cat.png", "invalid_image_url"],
  ["data:image/png,abc", "invalid_image_url"],
  ["data:image/png;base64", "invalid_image_url"],
  ["data:image/png;base64,%%%", "invalid_base64_image"],
  ["data:image/png;base64,", "empty_image_file"],
  [`data:image/png;base64,${"A".repeat(30 * 2 ** 20)}`, "image_file_too_large"],
  ["data:image/svg+xml;base64,PHN2Zy8+", "invalid_image_format"],
  [dataURL(png.subarray(0, 60)), "image_parse_error"],
];

test.each(BAD.map(([url, code]) => [url.slice(0, 40), code, url]))("'%s' is %s", async (_, code, url) => {
  expect(await read(url)).toMatchObject({ ok: false, code });
});

test("the file decides, not the type that the URL names; the scheme has no case, and base64 may have spaces", async () => {
  const plain = await read(dataURL(png));
  expect(plain.ok).toBe(true);
  for (const url of [
    dataURL(png, "text/plain"),
    dataURL(png).replace("data:", "DATA:"),
    dataURL(png).replace(",", ",\n "),
  ]) {
    expect(await read(url)).toEqual(plain);
  }
});

test("an image's id depends on the server's key", async () => {
  const draw = async () => ({ width: 1, height: 1, data: new Uint8ClampedArray(4) });
  const idWith = async (key: number) => {
    const request = { url: dataURL(png), detail: "auto", allowsRemote: false } as const;
    const result = await readImage({ ...request, key: Uint8Array.of(key) }, draw);
    return result.ok && result.image.id;
  };
  expect(await idWith(1)).toMatch(/^[0-9a-f]{64}$/);
  expect(await idWith(1)).toBe(await idWith(1));
  expect(await idWith(1)).not.toBe(await idWith(2));
});

test("downloads that fail are a fault that names the cause", async () => {
  await expect(readURL("http://127.0.0.1:9/cat.png", true)).rejects.toMatchObject({
    code: "failed_to_download_image",
  });
});

test("a BMP has its rows from the bottom up, padded, as blue, green, red", () => {
  const pixels = Uint8Array.of(1, 2, 3, 255, 4, 5, 6, 255);
  const bytes = writeBmp(1, 2, pixels);
  expect([...bytes.subarray(54)]).toEqual([6, 5, 4, 0, 3, 2, 1, 0]);
  expect(new DataView(bytes.buffer).getUint32(2, true)).toBe(bytes.length);
});

test("an image that takes too long is refused, and the next one gets a new worker", async () => {
  const workers: { posted: number; terminated: boolean; onmessage?: (event: object) => void }[] = [];
  const due: (() => void)[] = [];
  const timers: Timers = {
    after(_, call) {
      due.push(call);
      return () => due.splice(due.indexOf(call), 1);
    },
  };
  const start = () => {
    const worker = {
      posted: 0,
      terminated: false,
      postMessage: () => worker.posted++,
      terminate: () => {
        worker.terminated = true;
      },
    };
    workers.push(worker);
    return worker as unknown as Worker;
  };
  const reader = new ImageReader("https://app.test/images.js", timers, start);
  const request = { url: dataURL(png), detail: "auto" as const, allowsRemote: false };
  const [slow, next] = [reader.read(request, signal), reader.read(request, signal)];
  await expect.poll(() => workers[0]?.posted).toBe(1);
  due.shift()!();
  expect(await slow).toMatchObject({ ok: false, code: "image_parse_error" });
  await expect.poll(() => workers[1]?.posted).toBe(1);
  workers[1]!.onmessage!({ data: { result: { ok: true, image: { id: "1" } } } });
  expect(await next).toMatchObject({ ok: true });
  await expect.poll(() => workers.every(({ terminated }) => terminated)).toBe(true);
  expect(due).toEqual([]);
});

test("an abort ends the wait for an image", async () => {
  const abort = new AbortController();
  const silent = () => ({ postMessage() {}, terminate() {} }) as unknown as Worker;
  const reader = new ImageReader("https://app.test/images.js", { after: () => () => {} }, silent);
  const reading = reader.read({ url: "data:,", detail: "auto", allowsRemote: false }, abort.signal);
  abort.abort(new Error("No longer wanted."));
  await expect(reading).rejects.toThrow("No longer wanted.");
});
