/**
 * A pool of GPU buffers. A token needs about ten short-lived tensors, and destroying a buffer submits all
 * pending work, so freed buffers wait here for the next tensor. Reuse is safe because all work goes through
 * one queue, in order.
 */
import { createBuffer, destroyBuffer } from "./device";

/** Larger buffers (weights, KV cache) are destroyed when they are freed. */
const LARGEST_POOLED: usize = 1 << 20;
const SMALLEST: usize = 256;
const POOL_CAPACITY: i32 = 128;

@unmanaged
class PooledBuffer {
  buffer: usize;
  capacity: usize;
}

const pool: usize = memory.data(128 * 8, 4);
let pooled: i32 = 0;

@inline
function slot(index: i32): PooledBuffer {
  return changetype<PooledBuffer>(pool + (<usize>index) * offsetof<PooledBuffer>());
}

/** Powers of two keep the number of sizes small, whatever the lengths of prompts. */
function capacityFor(bytes: usize): usize {
  if (bytes > LARGEST_POOLED) return (bytes + 3) & ~3;
  let capacity = SMALLEST;
  while (capacity < bytes) capacity <<= 1;
  return capacity;
}

/** A buffer of at least this size with undefined content; 0 on failure. */
export function acquireBuffer(bytes: usize): usize {
  const capacity = capacityFor(bytes);
  for (let i = pooled - 1; i >= 0; i--) {
    const candidate = slot(i);
    if (candidate.capacity != capacity) continue;
    const buffer = candidate.buffer;
    const last = slot(--pooled);
    candidate.buffer = last.buffer;
    candidate.capacity = last.capacity;
    return buffer;
  }
  return createBuffer(capacity);
}

/** Gives a buffer back; `bytes` is what was asked for. */
export function releaseBuffer(buffer: usize, bytes: usize): void {
  const capacity = capacityFor(bytes);
  if (capacity > LARGEST_POOLED || pooled == POOL_CAPACITY) {
    destroyBuffer(buffer);
    return;
  }
  const free = slot(pooled++);
  free.buffer = buffer;
  free.capacity = capacity;
}
