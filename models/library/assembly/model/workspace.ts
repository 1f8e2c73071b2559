/** The GPU buffers that hold intermediate results between kernels, sized for one prefill chunk. */
import { acquireBuffer, releaseBuffer } from "../tensor/buffer-pool";
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

const BUFFERS: i32 = 9;

/** Bytes of the buffer in field number `index`, for chunks of up to `rows` tokens. */
function bytesOf(index: i32, rows: i32): usize {
  const attention = HEADS * HEAD_DIM;
  switch (index) {
    case 0:
    case 1:
      return rows * HIDDEN * 4;
    case 2:
      return rows * (attention + 2 * KV_HEADS * HEAD_DIM) * 4;
    case 3:
    case 4:
      return rows * attention * 4;
    case 5:
      return rows * 2 * INTERMEDIATE * 4;
    case 6:
      return rows * INTERMEDIATE * 4;
    case 7:
      return DECODE_ATTENTION_MAX_SHARES * attention * 4;
    default:
      return DECODE_ATTENTION_MAX_SHARES * HEADS * 4;
  }
}

/** Fills the fields; false when the GPU has no room. */
export function acquireWorkspace(workspace: Workspace, rows: i32): bool {
  for (let i = 0; i < BUFFERS; i++) {
    const buffer = acquireBuffer(bytesOf(i, rows));
    if (!buffer) return false;
    store<usize>(changetype<usize>(workspace) + ((<usize>i) << 2), buffer);
  }
  return true;
}

export function releaseWorkspace(workspace: Workspace, rows: i32): void {
  for (let i = 0; i < BUFFERS; i++) {
    const buffer = load<usize>(changetype<usize>(workspace) + ((<usize>i) << 2));
    if (buffer) releaseBuffer(buffer, bytesOf(i, rows));
  }
}
