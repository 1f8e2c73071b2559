/**
 * Notices GPU devices that fail. The build also copies this file into llama.cpp's worker
 * (`scripts/build/llamacpp.ts`), so it imports nothing.
 */

/** `out_of_memory`, or `engine_lost` for everything else. */
export type FatalCode = "out_of_memory" | "engine_lost";

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
