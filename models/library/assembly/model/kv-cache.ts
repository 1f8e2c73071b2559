/**
 * The KV cache of one sequence and what belongs to its life: the workspace and the table of rotations.
 * web-llm announces the length of every forward pass (`begin_forward`), runs it, and then commits it
 * (`end_forward`).
 */
import { allocateObject, ObjectHeader, onDestroy, release, TAG_KV_CACHE } from "../ffi/objects";
import { FunctionObject } from "../ffi/functions";
import { Cell } from "../ffi/values";
import { shapeArgument } from "../ffi/arguments";
import { fail, FAILED, OK, say, sayNumber } from "../ffi/errors";
import { createBuffer, destroyBuffer } from "../tensor/device";
import { CONTEXT_WINDOW, HEAD_DIM, KV_HEADS, LAYERS, PREFILL_CHUNK } from "../generated";
import { createWorkspace, destroyWorkspace, Workspace } from "./workspace";
import { rotationBytes, writeRotations } from "./rotations";

@unmanaged
export class KvCache extends ObjectHeader {
  /** Positions that fit. */
  capacity: i32;
  /** Positions that are filled. */
  length: i32;
  /** Tokens of the forward pass that has begun. */
  pending: i32;
  /** Whether sequence 0 has been added. */
  hasSequence: bool;
  /** The longest forward pass. */
  chunk: i32;
  rotations: usize;
  /** LAYERS pairs of buffers: keys and values, each [position, key/value head, dimension]. */
  layers: usize;

  get workspace(): Workspace {
    return changetype<Workspace>(changetype<usize>(this) + offsetof<KvCache>());
  }

  keys(layer: i32): usize {
    return load<usize>(this.layers + ((<usize>layer) << 3));
  }

  values(layer: i32): usize {
    return load<usize>(this.layers + ((<usize>layer) << 3), 4);
  }

  get layerBytes(): usize {
    return <usize>this.capacity * KV_HEADS * HEAD_DIM * 4;
  }
}

/** The only element of shape number `index`; -1 after an error. */
function numberInShape(args: Cell, index: i32): i32 {
  const shape = shapeArgument(args, index);
  if (!shape || shape.length < 1) return FAILED;
  return shape.at(0);
}

/** (max sequences, max positions, prefill chunk, page size, sliding window) as shapes of one number */
export function createKvCache(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const capacity = numberInShape(args, 1);
  const chunk = numberInShape(args, 2);
  const sliding = numberInShape(args, 4);
  if (capacity < 0 || chunk < 0 || sliding < 0) return FAILED;
  if (sliding) return failSlidingWindow();
  if (capacity < 1 || capacity > CONTEXT_WINDOW || chunk < 1 || chunk > PREFILL_CHUNK) {
    fail("context_window_size must be 1 to ");
    sayNumber(CONTEXT_WINDOW);
    say(" and prefill_chunk_size 1 to ");
    sayNumber(PREFILL_CHUNK);
    say(", got ");
    sayNumber(capacity);
    say(" and ");
    return sayNumber(chunk);
  }
  const address = allocateObject(TAG_KV_CACHE, offsetof<KvCache>() + offsetof<Workspace>());
  const cache = changetype<KvCache>(address);
  cache.capacity = capacity;
  cache.chunk = chunk;
  if (!createBuffers(cache)) {
    release(address);
    return fail("the GPU has no room for the KV cache");
  }
  if (writeRotations(cache.rotations, capacity) != OK) {
    release(address);
    return FAILED;
  }
  result.setObject(address);
  return OK;
}

/** Not from the pool: they live long, and new buffers hold zeros, where old ones might hold a NaN. */
function createBuffers(cache: KvCache): bool {
  cache.layers = heap.alloc(LAYERS * 8);
  memory.fill(cache.layers, 0, LAYERS * 8);
  cache.rotations = createBuffer(rotationBytes(cache.capacity));
  if (!cache.rotations || !createWorkspace(cache.workspace, cache.chunk)) return false;
  for (let i = 0; i < LAYERS * 2; i++) {
    const buffer = createBuffer(cache.layerBytes);
    if (!buffer) return false;
    store<usize>(cache.layers + ((<usize>i) << 2), buffer);
  }
  return true;
}

onDestroy(TAG_KV_CACHE, (object: usize): void => {
  const cache = changetype<KvCache>(object);
  destroyWorkspace(cache.workspace);
  if (cache.rotations) destroyBuffer(cache.rotations);
  for (let i = 0; i < LAYERS * 2; i++) {
    const buffer = load<usize>(cache.layers + ((<usize>i) << 2));
    if (buffer) destroyBuffer(buffer);
  }
  heap.free(cache.layers);
});

export function failSlidingWindow(): i32 {
  return fail(
    "a sliding window is not supported: leave sliding_window_size at -1 and set context_window_size",
  );
}
