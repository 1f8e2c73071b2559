/** The GPU buffers that hold intermediate results between kernels, sized for one prefill chunk. */
import { OK } from "../ffi/errors";
import { createBuffer, destroyBuffer, writeBuffer } from "../tensor/device";
import { HEAD_DIM, HEADS, HIDDEN, INTERMEDIATE, KV_HEADS, MAX_BATCH, MAX_SHARES } from "../generated";

@unmanaged
export class Workspace {
  /** The residual stream: [rows, hidden]. */
  hidden: usize;
  /** Prefill only: the residual stream after a norm. */
  normed: usize;
  /** Prefill only: queries, keys and values side by side. */
  projected: usize;
  queries: usize;
  attended: usize;
  /** Prefill only: gates and ups side by side. */
  gateUp: usize;
  activated: usize;
  /** Decode only: attention over shares of the cache, and the logarithms of their weights. */
  shares: usize;
  logarithms: usize;
  /** 0, 1, … MAX_BATCH - 1: the rows of a decode pass whose logits are wanted. */
  ordinals: usize;
}

const ordinals: usize = memory.data(<i32>MAX_BATCH * 4, 4);

/** A new buffer for this many numbers. */
function numbers(count: i32): usize {
  return createBuffer(<usize>count * 4);
}

/**
 * Creates the buffers for prefill chunks of up to `rows` tokens and decode passes of up to `batch`; false when
 * the GPU has no room for one of them.
 */
export function createWorkspace(workspace: Workspace, rows: i32, batch: i32): bool {
  const attention = HEADS * HEAD_DIM;
  workspace.hidden = numbers(rows * HIDDEN);
  workspace.normed = numbers(rows * HIDDEN);
  workspace.projected = numbers(rows * (HEADS + 2 * KV_HEADS) * HEAD_DIM);
  workspace.queries = numbers(rows * attention);
  workspace.attended = numbers(rows * attention);
  workspace.gateUp = numbers(rows * 2 * INTERMEDIATE);
  workspace.activated = numbers(rows * INTERMEDIATE);
  workspace.shares = numbers(batch * MAX_SHARES * attention);
  workspace.logarithms = numbers(batch * MAX_SHARES * HEADS);
  workspace.ordinals = numbers(MAX_BATCH);
  for (let field: usize = 0; field < offsetof<Workspace>(); field += sizeof<usize>()) {
    if (!load<usize>(changetype<usize>(workspace) + field)) return false;
  }
  for (let i = 0; i < MAX_BATCH; i++) store<i32>(ordinals + (<usize>i << 2), i);
  return writeBuffer(ordinals, workspace.ordinals, 0, MAX_BATCH * 4) == OK;
}

export function destroyWorkspace(workspace: Workspace): void {
  for (let field: usize = 0; field < offsetof<Workspace>(); field += sizeof<usize>()) {
    const buffer = load<usize>(changetype<usize>(workspace) + field);
    if (buffer) destroyBuffer(buffer);
  }
}
