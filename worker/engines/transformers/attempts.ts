/** The order in which backends are tried for an embedding model. */

import type { EmbeddingDevice, EmbeddingDtype, EmbeddingModel } from "../../engine-api/embedding-model.ts";
import type { DeviceChoice } from "../../engine-api/gpu.ts";

/** One backend with one dtype of the weights. */
export interface EmbeddingAttempt {
  device: EmbeddingDevice;
  dtype: EmbeddingDtype;
}

/** WebGPU first, smallest dtype to fp32, then WASM as the reliable fallback. */
export function attemptsFor(
  model: EmbeddingModel,
  choice: DeviceChoice,
  gpuUsable: boolean,
): EmbeddingAttempt[] {
  const onGpu = choice === "webgpu" || (choice === "auto" && gpuUsable);
  const on = (device: EmbeddingDevice): EmbeddingAttempt[] =>
    model.dtypes[device].map((dtype) => ({ device, dtype }));
  return [...(onGpu ? on("webgpu") : []), ...on("wasm")];
}

/** For events and messages, for example `wasm fp32`. */
export function attemptText({ device, dtype }: EmbeddingAttempt): string {
  return `${device} ${dtype}`;
}
