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
      "WebGPU is there but has no adapter: the graphics driver is missing, is on the browser's blocklist, or crashed so often that the browser took it from this page. Reload the page or restart the browser.",
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

/** `out_of_memory`, or `engine_lost` for everything else. */
type FatalCode = "out_of_memory" | "engine_lost";

/**
 * Calls back, once, when a GPU device of this worker fails. web-llm only logs a lost device, unloads itself, and
 * answers later requests as if no model had been loaded; and where memory runs out it goes on with invalid buffers
 * and writes gibberish (engines.md A11). Every command on such a buffer is a validation error that nobody caught,
 * and it is reported before what the command wrote can be read: so no token of it leaves the worker.
 */
export function watchDevices(onFatal: (code: FatalCode, reason: string) => void): void {
  if (typeof GPUAdapter === "undefined") return;
  let isOver = false;
  const fail = (code: FatalCode, reason: string): void => {
    if (!isOver) onFatal(code, reason);
    isOver = true;
  };
  const failWith = (error: GPUError): void => {
    const isMemory = error instanceof GPUOutOfMemoryError;
    if (isMemory) fail("out_of_memory", `the GPU ran out of memory (${error.message})`);
    else fail("engine_lost", `the GPU refused a command (${error.message})`);
  };
  const { requestDevice } = GPUAdapter.prototype;
  GPUAdapter.prototype.requestDevice = async function (this: GPUAdapter, descriptor?: GPUDeviceDescriptor) {
    const device = await requestDevice.call(this, descriptor);
    device.addEventListener("uncapturederror", ({ error }) => failWith(error));
    void device.lost.then(({ reason, message }) =>
      fail("engine_lost", `the GPU device was lost (${message || reason})`),
    );
    return device;
  };
  const { popErrorScope } = GPUDevice.prototype;
  GPUDevice.prototype.popErrorScope = async function (this: GPUDevice) {
    const error = await popErrorScope.call(this);
    // Engines catch this one only to give their device up: say why before it is lost.
    if (error instanceof GPUOutOfMemoryError) failWith(error);
    return error;
  };
}
