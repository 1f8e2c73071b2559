/** Estimates whether a model can run on this device. */

import type { Model } from "./models.ts";
import type { WebGPUState } from "./webgpu.ts";

type Fit = { verdict: "good" | "doubtful" | "impossible"; words: string };

/** In GiB, rounded by the browser and capped at 8. Absent in some browsers. */
const deviceMemoryGiB = (navigator as { deviceMemory?: number }).deviceMemory;
const MAX_REPORTED_GIB = 8;

export function fitOf({ infetch }: Model, webgpu: WebGPUState): Fit {
  const { engines = [], features = [], memory_bytes: memoryBytes } = infetch ?? {};
  const needsGraphics = engines.length > 0 && engines.every((engine) => engine === "webllm");
  if (needsGraphics && webgpu.state === "missing") return { verdict: "impossible", words: "Needs WebGPU" };
  const missing = features.filter(
    (feature) => webgpu.state === "present" && !webgpu.features.includes(feature),
  );
  if (needsGraphics && missing.length > 0) {
    return { verdict: "impossible", words: `Needs ${missing.join(", ")}` };
  }
  if (memoryBytes && deviceMemoryGiB !== undefined && deviceMemoryGiB < MAX_REPORTED_GIB) {
    if (memoryBytes > deviceMemoryGiB * 2 ** 30) return { verdict: "impossible", words: "Too large" };
    if (memoryBytes > deviceMemoryGiB * 2 ** 29) return { verdict: "doubtful", words: "Tight" };
  }
  if (memoryBytes && memoryBytes > MAX_REPORTED_GIB * 2 ** 29) return { verdict: "doubtful", words: "Large" };
  return { verdict: "good", words: "Fits" };
}
