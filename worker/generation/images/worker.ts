/** Image worker: decodes images off the server's thread. */

import type { ImageOutcome } from "./image-reader.ts";
import { type ImageTask, readImage } from "./read-image.ts";

// No-op where there is no message event, for example in server-side rendering.
globalThis.addEventListener?.("message", async ({ data }: MessageEvent<ImageTask>) => {
  let outcome: ImageOutcome;
  try {
    outcome = { result: await readImage(data) };
  } catch (error) {
    outcome = { failure: String(error) };
  }
  const { result } = outcome as { result?: { image?: { bytes: Uint8Array<ArrayBuffer> } } };
  postMessage(outcome, result?.image ? { transfer: [result.image.bytes.buffer] } : {});
});
