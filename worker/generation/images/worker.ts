/** Image worker: decodes images off the server's thread. */

import type { ImageAnswer } from "./image-reader.ts";
import { type ImageTask, readImage } from "./read-image.ts";

// No-op where there is no message event, for example in server-side rendering.
globalThis.addEventListener?.("message", async ({ data }: MessageEvent<ImageTask>) => {
  let answer: ImageAnswer;
  try {
    answer = { result: await readImage(data) };
  } catch (error) {
    answer = { failure: String(error) };
  }
  const { result } = answer as { result?: { image?: { bytes: Uint8Array<ArrayBuffer> } } };
  postMessage(answer, result?.image ? { transfer: [result.image.bytes.buffer] } : {});
});
