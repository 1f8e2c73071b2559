/** Whether llama.cpp computes on WebGPU or in WebAssembly. */

import {
  adapterName,
  type DeviceChoice,
  faultOf,
  isSoftwareAdapter,
  LLAMACPP_FEATURES,
} from "../../engine-api/gpu.ts";
import type { GPUFault } from "../../engine-api/gpu-adapter.ts";
import type { LlamaCppGPU } from "../../engine-api/model-files.ts";
import { hasJSPI, hasMemory64 } from "../../engine-api/wasm-features.ts";

/**
 * The reason why llama.cpp computes in WebAssembly; undefined if it uses WebGPU.
 *
 * @param choice the option `llamacpp.device`; `webgpu` also accepts a software adapter; if unset, WebGPU is
 * off (decision 164)
 */
export function llamaCppFault(
  found: GPUAdapter | GPUFault,
  choice: DeviceChoice | undefined,
): GPUFault | undefined {
  if (choice === undefined) return because("no build for WebGPU");
  if (choice === "wasm") return because("its options say so");
  const fault = faultOf(found, { features: LLAMACPP_FEATURES });
  if (fault) return because(fault.reason);
  // WebAssembly has to wait for the GPU, which the compatible build (Safari) does at less than half the speed.
  if (!hasMemory64()) return because("no 64-bit memory");
  if (!hasJSPI()) return because("no JSPI");
  const isSoftware = isSoftwareAdapter(found as GPUAdapter);
  return choice === "auto" && isSoftware ? because("WebGPU on the processor") : undefined;
}

/** What llama.cpp's worker has to know about an adapter that suits it. */
export function describeGPU(adapter: GPUAdapter): LlamaCppGPU {
  return { name: adapterName(adapter), maxTensorBytes: adapter.limits.maxStorageBufferBindingSize };
}

function because(reason: string): GPUFault {
  return { reason, message: `llama.cpp cannot use WebGPU here: ${reason}. Set llamacpp.device to "auto".` };
}
