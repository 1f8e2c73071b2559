/** Whether this device has WebGPU. */

import { type Signal, signal } from "@preact/signals";

export type Graphics =
  | { state: "checking" }
  | { state: "present"; name: string; features: readonly string[] }
  | { state: "missing"; reason: string };

export const graphics: Signal<Graphics> = signal({ state: "checking" });

const REMEDY = "Use a current Chrome, Edge or Safari, with hardware acceleration turned on.";

export async function checkGraphics(): Promise<void> {
  graphics.value = await look();
}

async function look(): Promise<Graphics> {
  if (!("gpu" in navigator)) return { state: "missing", reason: `This browser has no WebGPU. ${REMEDY}` };
  const adapter = await navigator.gpu.requestAdapter().catch(() => null);
  if (adapter) {
    const { vendor, architecture, description } = adapter.info;
    const name = description || [vendor, architecture].filter((word) => word !== "").join(" ");
    return { state: "present", name: name || "Yes", features: [...adapter.features] };
  }
  return { state: "missing", reason: `WebGPU found no graphics adapter on this device. ${REMEDY}` };
}
