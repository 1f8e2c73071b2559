import { EngineError } from "./engine-error.ts";
import { findAdapter, type GPUFault } from "./gpu-adapter.ts";

/** A model's WebGPU requirements. */
interface GPUNeeds {
  features?: readonly string[] | undefined;
  /** Minimum value of each adapter limit. */
  limits?: Readonly<Record<string, number>>;
}

/** `auto` uses WebGPU if the adapter is a hardware GPU; other values force that device. */
export type DeviceChoice = "auto" | "webgpu" | "wasm";

/** Least adapter limits that web-llm requires (`detectGPUDevice` of TVM's runtime, web-llm 0.2.86). */
export const WEBLLM_LIMITS = {
  maxBufferSize: 2 ** 28,
  maxStorageBufferBindingSize: 2 ** 27,
  maxComputeWorkgroupStorageSize: 2 ** 15,
  maxStorageBuffersPerShaderStage: 10,
};

/** What TVM's runtime asks the adapter for; if the adapter has less, it takes {@link WEBLLM_LIMITS}. */
export const LARGE_BUFFER_BYTES = 2 ** 30;

/** Features that llama.cpp's WebGPU backend requires (`ggml-webgpu.cpp`); WebGPU's lowest limits are enough for it. */
export const LLAMACPP_FEATURES = ["shader-f16"];

/**
 * The limits for a model. TVM's runtime asks for 1 GiB buffers and, if the adapter offers less, falls back to the
 * minimum: values in between are never used.
 *
 * @param bufferBytes size of the model's largest buffer
 */
export function webllmLimits(bufferBytes = 0): Record<string, number> {
  const limitFor = (least: number): number => (bufferBytes > least ? LARGE_BUFFER_BYTES : least);
  return {
    ...WEBLLM_LIMITS,
    maxBufferSize: limitFor(WEBLLM_LIMITS.maxBufferSize),
    maxStorageBufferBindingSize: limitFor(WEBLLM_LIMITS.maxStorageBufferBindingSize),
  };
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
 * This worker's adapter, which meets the needs.
 *
 * @throws {EngineError} `engine_unavailable`; its message states what is missing and what to do
 */
export async function requireWebGPU(needs: GPUNeeds = {}): Promise<GPUAdapter> {
  const found = await findAdapter();
  const fault = faultOf(found, needs);
  if (fault) throw new EngineError("engine_unavailable", fault.message);
  return found as GPUAdapter;
}

/** Whether an adapter runs on the CPU, which is much slower than WASM. */
export function isSoftwareAdapter({ info }: GPUAdapter): boolean {
  const { architecture, description, isFallbackAdapter } = info;
  return isFallbackAdapter || /swiftshader|llvmpipe|basic render/i.test(`${architecture} ${description}`);
}

/** The adapter's vendor, architecture and description, as far as the browser exposes them. */
export function adapterName({ info }: GPUAdapter): string {
  return [info.vendor, info.architecture, info.description].filter(Boolean).join(" ") || "unknown adapter";
}
