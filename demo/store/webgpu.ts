/** Whether this device has WebGPU. */

import { type Signal, signal } from "@preact/signals";

export type WebGPUState =
  | { state: "checking" }
  | { state: "present"; name: string; features: readonly string[] }
  | { state: "missing"; reason: string };

export const webgpu: Signal<WebGPUState> = signal({ state: "checking" });

const REMEDY = "Use a current Chrome, Edge or Safari, with hardware acceleration turned on.";

export async function checkWebGPU(): Promise<void> {
  webgpu.value = await look();
}

async function look(): Promise<WebGPUState> {
  if (!("gpu" in navigator)) return { state: "missing", reason: `This browser has no WebGPU. ${REMEDY}` };
  try {
    const adapter = await navigator.gpu.requestAdapter();
    if (adapter) return { state: "present", name: nameOf(adapter), features: [...adapter.features] };
  } catch {
    // A browser may throw instead of returning null.
  }
  return { state: "missing", reason: `WebGPU found no graphics adapter on this device. ${REMEDY}` };
}

function nameOf(adapter: GPUAdapter): string {
  // Older browsers have no `info`.
  const { vendor, architecture, description }: Partial<GPUAdapterInfo> = adapter.info ?? {};
  return description || [vendor, architecture].filter(Boolean).join(" ") || "Yes";
}
