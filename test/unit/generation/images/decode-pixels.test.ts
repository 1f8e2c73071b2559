import { afterEach, expect, test, vi } from "vitest";
import { decodePixels } from "../../../../worker/generation/images/decode-pixels.ts";

afterEach(() => vi.unstubAllGlobals());

/** Draws a file of 48 × 32 that the browser decodes to another size. */
function draw(width: number, height: number) {
  vi.stubGlobal("createImageBitmap", async () => ({ width, height, close() {} }));
  vi.stubGlobal(
    "OffscreenCanvas",
    class {
      getContext = () => ({ fillRect() {}, drawImage() {}, getImageData: () => ({ data: [] }) });
    },
  );
  return decodePixels(new Uint8Array(), { type: "image/avif", width: 48, height: 32 }, 2_048);
}

test("an image that decodes to more than its file says is refused; turned or cropped ones are not", async () => {
  await expect(draw(48, 33)).rejects.toMatchObject({ code: "image_parse_error" });
  await expect(draw(9_000, 9_000)).rejects.toMatchObject({ code: "image_parse_error" });
  expect(await draw(48, 32)).toMatchObject({ width: 48, height: 32 });
  expect(await draw(32, 48)).toMatchObject({ width: 32, height: 48 });
  expect(await draw(40, 30)).toMatchObject({ width: 40, height: 30 });
});
