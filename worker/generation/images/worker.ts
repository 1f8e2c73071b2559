/** Image worker: decodes images off the server's thread. */

import { reportLoaded } from "../tasks/task-outcome.ts";
import type { ImageOutcome } from "./image-loader.ts";
import { type ImageTask, preprocessImage } from "./preprocess-image.ts";

reportLoaded();
// No-op where there is no message event, for example in server-side rendering.
globalThis.addEventListener?.("message", async ({ data }: MessageEvent<ImageTask>) => {
  let outcome: ImageOutcome;
  try {
    outcome = { result: await preprocessImage(data) };
  } catch (error) {
    outcome = { failure: String(error) };
  }
  const { result } = outcome as { result?: { image?: { bytes: Uint8Array<ArrayBuffer> } } };
  postMessage(outcome, result?.image ? { transfer: [result.image.bytes.buffer] } : {});
});
