/** The order in which backends are tried for an embedding model. */

import type { EmbeddingDevice, EmbeddingDtype, EmbeddingModel } from "../api/embedding-model.ts";
import type { DeviceChoice } from "../api/gpu.ts";

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

/** Path of the weights in a repository. */
export function weightsFile(dtype: EmbeddingDtype): string {
  return `onnx/model${SUFFIX[dtype]}.onnx`;
}

/** The dtypes whose weights are among the files of a repository. */
export function dtypesAmong(files: readonly { name: string }[]): EmbeddingDtype[] {
  const all = Object.keys(SUFFIX) as EmbeddingDtype[];
  return all.filter((dtype) => files.some(({ name }) => name === weightsFile(dtype)));
}

const SUFFIX: Record<EmbeddingDtype, string> = {
  fp32: "",
  fp16: "_fp16",
  q8: "_quantized",
  q4: "_q4",
  q4f16: "_q4f16",
};

/** For events and messages, for example `wasm fp32`. */
export function attemptText({ device, dtype }: EmbeddingAttempt): string {
  return `${device} ${dtype}`;
}
