/** How a KV cache is created and destroyed. */
import { allocateObject, onDestroy, release, TAG_KV_CACHE } from "../ffi/objects";
import { FunctionObject } from "../ffi/functions";
import { Cell } from "../ffi/values";
import { shapeArgument } from "../ffi/arguments";
import { fail, FAILED, OK, say, sayNumber } from "../ffi/errors";
import { createBuffer, destroyBuffer } from "../tensor/device";
import { CONTEXT_WINDOW, HEAD_DIM, KV_HEADS, LAYERS, MAX_BATCH, PAGE, PREFILL_CHUNK } from "../generated";
import { KvCache } from "./kv-cache";
import { PagePool, pagesFor } from "./page-pool";
import { rotationBytes, writeRotations } from "./rotations";
import { MAX_SEQUENCES, Sequence, SEQUENCE_PAGES } from "./sequence";
import { tableBytes, tableOf } from "./tables";
import { createWorkspace, destroyWorkspace, Workspace } from "./workspace";

/** The only element of shape number `index`; -1 after an error. */
function numberInShape(args: Cell, index: i32): i32 {
  const shape = shapeArgument(args, index);
  if (!shape) return FAILED;
  if (shape.length < 1 || shape.at(0) < 0) return fail("a size of the KV cache is missing or negative");
  return shape.at(0);
}

/** (sequences per pass, positions of all sequences, prefill chunk, page size, sliding window): shapes of one number */
export function createKvCache(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const maxBatch = numberInShape(args, 0);
  const positions = numberInShape(args, 1);
  const chunk = numberInShape(args, 2);
  const page = numberInShape(args, 3);
  const sliding = numberInShape(args, 4);
  if (maxBatch < 0 || positions < 0 || chunk < 0 || page < 0 || sliding < 0) return FAILED;
  if (sliding) return failSlidingWindow();
  if (maxBatch < 1 || maxBatch > MAX_BATCH) return failSize("the number of sequences", MAX_BATCH, maxBatch);
  if (page != PAGE) return fail("the page size must be 16");
  // A cache of one sequence has the size of its context window, and that is what web-llm's user set.
  if (positions < 1 || positions > CONTEXT_WINDOW * maxBatch)
    return failSize("context_window_size", CONTEXT_WINDOW * maxBatch, positions);
  if (chunk < 1 || chunk > PREFILL_CHUNK) return failSize("prefill_chunk_size", PREFILL_CHUNK, chunk);

  const bytes = offsetof<KvCache>() + offsetof<Workspace>() + offsetof<PagePool>();
  const address = allocateObject(TAG_KV_CACHE, bytes);
  const cache = changetype<KvCache>(address);
  cache.limit = min(positions, CONTEXT_WINDOW);
  cache.maxBatch = maxBatch;
  cache.chunk = chunk;
  // One page more than needed, as in TVM: a sequence can be forked inside a page of a full cache.
  cache.pool.create(pagesFor(positions) + 1);
  createSequences(cache);
  if (!createBuffers(cache)) {
    release(address);
    return fail("the GPU has no room for the KV cache");
  }
  if (writeRotations(cache.rotations, cache.limit) != OK) {
    release(address);
    return FAILED;
  }
  result.setObject(address);
  return OK;
}

function failSize(what: string, most: i32, got: i32): i32 {
  fail(what);
  say(" must be 1 to ");
  sayNumber(most);
  say(", got ");
  return sayNumber(got);
}

function createSequences(cache: KvCache): void {
  const records = <usize>MAX_SEQUENCES * offsetof<Sequence>();
  cache.members = heap.alloc(MAX_BATCH << 2);
  cache.sequences = heap.alloc(records + MAX_SEQUENCES * SEQUENCE_PAGES * 4);
  memory.fill(cache.sequences, 0, records);
  for (let i = 0; i < MAX_SEQUENCES; i++) {
    const sequence = cache.sequence(i);
    sequence.pages = cache.sequences + records + <usize>(i * SEQUENCE_PAGES * 4);
    sequence.table = tableOf(i);
  }
}

/** Not from the pool: they live long, and new buffers hold zeros, where old ones might hold a NaN. */
function createBuffers(cache: KvCache): bool {
  cache.layers = heap.alloc(LAYERS * 8);
  memory.fill(cache.layers, 0, LAYERS * 8);
  cache.rotations = createBuffer(rotationBytes(cache.limit));
  cache.tables = createBuffer(tableBytes());
  if (!cache.rotations || !cache.tables) return false;
  if (!createWorkspace(cache.workspace, cache.chunk, cache.maxBatch)) return false;
  for (let i = 0; i < LAYERS * 2; i++) {
    const buffer = createBuffer(<usize>(cache.pool.total * PAGE) * KV_HEADS * HEAD_DIM * 4);
    if (!buffer) return false;
    store<usize>(cache.layers + ((<usize>i) << 2), buffer);
  }
  return true;
}

onDestroy(TAG_KV_CACHE, (object: usize): void => {
  const cache = changetype<KvCache>(object);
  destroyWorkspace(cache.workspace);
  if (cache.rotations) destroyBuffer(cache.rotations);
  if (cache.tables) destroyBuffer(cache.tables);
  for (let i = 0; i < LAYERS * 2; i++) {
    const buffer = load<usize>(cache.layers + ((<usize>i) << 2));
    if (buffer) destroyBuffer(buffer);
  }
  heap.free(cache.layers);
  heap.free(cache.sequences);
  heap.free(cache.members);
  cache.pool.destroy();
});

export function failSlidingWindow(): i32 {
  return fail(
    "a sliding window is not supported: leave sliding_window_size at -1 and set context_window_size",
  );
}
