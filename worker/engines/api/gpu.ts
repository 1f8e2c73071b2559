import { EngineError } from "./engine-error.ts";

/** A model's WebGPU requirements. */
export interface GPUNeeds {
  features?: readonly string[] | undefined;
  /** Minimum value of each adapter limit. */
  limits?: Readonly<Record<string, number>>;
}

/** The reason why WebGPU cannot be used. */
export interface GPUFault {
  /** Short form: `no navigator.gpu`, `adapter lacks shader-f16`. */
  reason: string;
  /** Full sentences with advice. */
  message: string;
}

/** Least adapter limits that web-llm requires (`detectGPUDevice` of TVM's runtime, web-llm 0.2.86). */
export const WEBLLM_LIMITS = {
  maxBufferSize: 2 ** 28,
  maxStorageBufferBindingSize: 2 ** 27,
  maxComputeWorkgroupStorageSize: 2 ** 15,
  maxStorageBuffersPerShaderStage: 10,
};

/**
 * The limits for a model. TVM's runtime asks for buffers of 1 GiB, and if the adapter has less, for the least alone:
 * what lies between is of no use.
 *
 * @param bufferBytes size of the model's largest buffer
 */
export function webllmLimits(bufferBytes = 0): Record<string, number> {
  const limitFor = (least: number): number => (bufferBytes > least ? 2 ** 30 : least);
  return {
    ...WEBLLM_LIMITS,
    maxBufferSize: limitFor(WEBLLM_LIMITS.maxBufferSize),
    maxStorageBufferBindingSize: limitFor(WEBLLM_LIMITS.maxStorageBufferBindingSize),
  };
}

const NO_WEBGPU: GPUFault = {
  reason: "no navigator.gpu",
  message:
    "This browser does not support WebGPU in workers. Use a current Chrome, Edge, Safari or Firefox, over https or on localhost.",
};
const NO_ADAPTER: GPUFault = {
  reason: "no WebGPU adapter",
  message:
    "WebGPU is supported but has no adapter: the graphics driver is missing, is on the browser's blocklist, or crashed so often that the browser disabled it for this page. Reload the page or restart the browser.",
};

/** This worker's adapter, or the reason why there is none. */
export async function findAdapter(): Promise<GPUAdapter | GPUFault> {
  if (!navigator.gpu) return NO_WEBGPU;
  return (await navigator.gpu.requestAdapter().catch(() => null)) ?? NO_ADAPTER;
}

/** The reason why a model cannot use WebGPU here; undefined if it can. */
export function faultOf(
  found: GPUAdapter | GPUFault,
  { features = [], limits = {} }: GPUNeeds = {},
): GPUFault | undefined {
  if ("reason" in found) return found;
  const missing = features.filter((feature) => !found.features.has(feature)).join(", ");
  if (missing) {
    return {
      reason: `adapter lacks ${missing}`,
      message: `This model needs the WebGPU feature ${missing}, which the graphics card does not support. Use a build without it, for example one whose name has q4f32_1.`,
    };
  }
  const offered = (name: string): number => found.limits[name as keyof GPUSupportedLimits] as number;
  const low = Object.entries(limits).find(([name, least]) => offered(name) < least);
  if (!low) return undefined;
  const reason = `${low[0]} ${offered(low[0])} < ${low[1]}`;
  return {
    reason,
    message: `The graphics card's WebGPU limits are too low (${reason}). Update its driver or the browser, or use a model with a GGUF build.`,
  };
}

/**
 * Returns the device name for model facts, for example `webgpu: google swiftshader`.
 *
 * @throws {EngineError} `engine_unavailable`; its message states what is missing and what to do
 */
export async function requireWebGPU(needs: GPUNeeds = {}): Promise<string> {
  const found = await findAdapter();
  const fault = faultOf(found, needs);
  if (fault) throw new EngineError("engine_unavailable", fault.message);
  return `webgpu: ${adapterName(found as GPUAdapter)}`;
}

/** The adapter's vendor, architecture and description, as far as the browser exposes them. */
export function adapterName({ info }: GPUAdapter): string {
  return [info.vendor, info.architecture, info.description].filter(Boolean).join(" ") || "unknown adapter";
}

/** `out_of_memory`, or `engine_lost` for everything else. */
type FatalCode = "out_of_memory" | "engine_lost";

/**
 * Calls `onFatal` once when a GPU device of this worker fails. web-llm only logs a lost device, unloads itself and
 * answers later requests as if no model were loaded; out of memory, it continues with invalid buffers and outputs
 * garbage. Commands on such buffers raise an uncaptured validation error before their results can be read, so no
 * corrupt token leaves the worker.
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
    // Engines catch this error only to destroy their device: report the cause first.
    if (error instanceof GPUOutOfMemoryError) failWith(error);
    return error;
  };
}
