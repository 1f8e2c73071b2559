/** The GPU buffers that hold intermediate results between kernels, sized for one prefill chunk. */
import { createBuffer, destroyBuffer } from "../tensor/device";
import { HEAD_DIM, HEADS, HIDDEN, INTERMEDIATE, KV_HEADS, DECODE_ATTENTION_MAX_SHARES } from "../generated";

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
}

/** A new buffer for this many numbers. */
function numbers(count: i32): usize {
  return createBuffer(<usize>count * 4);
}

/** Creates the buffers for chunks of up to `rows` tokens; false when the GPU has no room for one of them. */
export function createWorkspace(workspace: Workspace, rows: i32): bool {
  const attention = HEADS * HEAD_DIM;
  workspace.hidden = numbers(rows * HIDDEN);
  workspace.normed = numbers(rows * HIDDEN);
  workspace.projected = numbers(rows * (HEADS + 2 * KV_HEADS) * HEAD_DIM);
  workspace.queries = numbers(rows * attention);
  workspace.attended = numbers(rows * attention);
  workspace.gateUp = numbers(rows * 2 * INTERMEDIATE);
  workspace.activated = numbers(rows * INTERMEDIATE);
  workspace.shares = numbers(DECODE_ATTENTION_MAX_SHARES * attention);
  workspace.logarithms = numbers(DECODE_ATTENTION_MAX_SHARES * HEADS);
  for (let field: usize = 0; field < offsetof<Workspace>(); field += sizeof<usize>()) {
    if (!load<usize>(changetype<usize>(workspace) + field)) return false;
  }
  return true;
}

export function destroyWorkspace(workspace: Workspace): void {
  for (let field: usize = 0; field < offsetof<Workspace>(); field += sizeof<usize>()) {
    const buffer = load<usize>(changetype<usize>(workspace) + field);
    if (buffer) destroyBuffer(buffer);
  }
}
