import { EngineError } from "./engine-error.ts";

/**
 * The graphics card, as facts tell it.
 *
 * @param features that it must offer
 * @throws {EngineError} `engine_unavailable` with what is missing and what to do
 */
export async function requireWebGPU(features: readonly string[] = []): Promise<string> {
  if (!("gpu" in navigator) || !navigator.gpu) {
    throw new EngineError(
      "engine_unavailable",
      "This browser offers no WebGPU to workers. Use a current Chrome, Edge, Safari or Firefox, over https or on localhost.",
    );
  }
  const adapter = await navigator.gpu.requestAdapter();
  if (!adapter) {
    throw new EngineError(
      "engine_unavailable",
      "WebGPU is there but has no adapter: the graphics driver is missing or on the browser's blocklist.",
    );
  }
  const missing = features.filter((feature) => !adapter.features.has(feature));
  if (missing.length > 0) {
    throw new EngineError(
      "engine_unavailable",
      `This model needs the WebGPU feature ${missing.join(", ")}, which the graphics card does not offer. Use a build without it, for example one whose name has q4f32_1.`,
    );
  }
  const { vendor, architecture, description } = adapter.info;
  return `webgpu: ${[vendor, architecture, description].filter(Boolean).join(" ") || "unknown adapter"}`;
}

/** Whether WebGPU is there, with these features. */
export async function hasWebGPU(features: readonly string[] = []): Promise<boolean> {
  const adapter = await navigator.gpu?.requestAdapter().catch(() => null);
  return Boolean(adapter && features.every((feature) => adapter.features.has(feature)));
}

/**
 * Calls back when a GPU device of this worker is lost. web-llm only logs it, unloads itself, and answers
 * later requests as if no model had been loaded (engines.md A11).
 */
export function watchDeviceLoss(onLost: (reason: string) => void): void {
  if (typeof GPUAdapter === "undefined") return;
  const request = GPUAdapter.prototype.requestDevice;
  GPUAdapter.prototype.requestDevice = async function (this: GPUAdapter, descriptor?: GPUDeviceDescriptor) {
    const device = await request.call(this, descriptor);
    void device.lost.then((info) => onLost(info.message || info.reason));
    return device;
  };
}
