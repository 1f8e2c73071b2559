/** The reason why WebGPU cannot be used. */
export interface GPUFault {
  /** Short form: `no navigator.gpu`, `adapter lacks shader-f16`. */
  reason: string;
  /** Full sentences with advice. */
  message: string;
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

/** Browsers answer within seconds, even if they start their GPU process; if that hangs, never. */
const ADAPTER_LIMIT_MS = 30_000;
const NO_ANSWER: GPUFault = {
  reason: "WebGPU did not answer",
  message:
    "The browser did not say within 30 seconds whether there is a graphics card: its GPU process may hang. Restart the browser.",
};

/** This worker's adapter, or the reason why there is none. */
export async function findAdapter(): Promise<GPUAdapter | GPUFault> {
  if (!navigator.gpu) return NO_WEBGPU;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<GPUFault>((resolve) => {
    timer = setTimeout(() => resolve(NO_ANSWER), ADAPTER_LIMIT_MS);
  });
  const asked = navigator.gpu.requestAdapter().catch(() => null);
  const found = await Promise.race([asked, late]);
  clearTimeout(timer);
  return found ?? NO_ADAPTER;
}
