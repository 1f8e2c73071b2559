/**
 * The GPU as web-llm offers it: buffers are numbers, and every operation is a call of a JavaScript
 * function.
 */
import { release } from "../ffi/objects";
import { callFunction, popCells, pushCells } from "../ffi/functions";
import { findGlobalByLiteral } from "../ffi/globals";
import { fail, OK } from "../ffi/errors";
import { newString } from "../ffi/text";

let allocateSpace: usize = 0;
let freeSpace: usize = 0;
let copyToGpu: usize = 0;
let copyFromGpu: usize = 0;
let copyWithinGpu: usize = 0;

/**
 * web-llm registers its device functions after the library has started, so they are fetched at the first
 * use.
 */
function connect(): bool {
  if (allocateSpace) return true;
  const deviceApi = findGlobalByLiteral("wasm.WebGPUDeviceAPI");
  if (!deviceApi) return false;
  freeSpace = deviceFunction(deviceApi, "deviceFreeDataSpace");
  copyToGpu = deviceFunction(deviceApi, "deviceCopyToGPU");
  copyFromGpu = deviceFunction(deviceApi, "deviceCopyFromGPU");
  copyWithinGpu = deviceFunction(deviceApi, "deviceCopyWithinGPU");
  allocateSpace = deviceFunction(deviceApi, "deviceAllocDataSpace");
  return allocateSpace != 0;
}

/** One function of the device; its reference is kept for the life of the library. */
function deviceFunction(deviceApi: usize, name: string): usize {
  const cells = pushCells(2);
  const text = changetype<usize>(newString(name));
  cells.setObject(text);
  const result = cells.at(1);
  result.setNone();
  const status = callFunction(deviceApi, cells, 1, result);
  const found = status == OK ? result.object : 0;
  release(text);
  popCells(2);
  return found;
}

let lastResult: i32 = 0;

/** Calls a device function with up to five integers; its numeric result lands in `lastResult`. */
function callDevice(
  callee: usize,
  count: i32,
  a: usize,
  b: usize = 0,
  c: usize = 0,
  d: usize = 0,
  e: usize = 0,
): i32 {
  if (!callee) return fail("the WebGPU device is not initialized");
  const cells = pushCells(6);
  cells.setInt(a);
  cells.at(1).setInt(b);
  cells.at(2).setInt(c);
  cells.at(3).setInt(d);
  cells.at(4).setInt(e);
  const result = cells.at(5);
  result.setNone();
  const status = callFunction(callee, cells, count, result);
  lastResult = result.int;
  popCells(6);
  return status;
}

/** Number of buffers created so far. */
export let createdBuffers: i32 = 0;

/** A new buffer, or 0. */
export function createBuffer(bytes: usize): usize {
  connect();
  if (callDevice(allocateSpace, 1, bytes) != OK) return 0;
  createdBuffers++;
  return lastResult;
}

/** Submits everything recorded so far, then destroys the buffer. */
export function destroyBuffer(buffer: usize): void {
  callDevice(freeSpace, 1, buffer);
}

export function writeBuffer(source: usize, buffer: usize, offset: usize, bytes: usize): i32 {
  connect();
  return callDevice(copyToGpu, 4, source, buffer, offset, bytes);
}

/**
 * The bytes are at `target` only after the next `device.sync()`: the owner of the target must wait for it.
 */
export function readBuffer(buffer: usize, offset: usize, target: usize, bytes: usize): i32 {
  return callDevice(copyFromGpu, 4, buffer, offset, target, bytes);
}

export function copyBuffer(
  source: usize,
  sourceOffset: usize,
  target: usize,
  targetOffset: usize,
  bytes: usize,
): i32 {
  return callDevice(copyWithinGpu, 5, source, sourceOffset, target, targetOffset, bytes);
}
