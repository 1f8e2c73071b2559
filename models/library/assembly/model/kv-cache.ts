/**
 * The KV cache of many sequences: pages, page tables, the workspace and the table of rotations. A forward pass
 * is announced (`begin_forward`, `kv-forward.ts`), run, and then committed (`end_forward`).
 */
import { ObjectHeader } from "../ffi/objects";
import { PagePool } from "./page-pool";
import { Sequence } from "./sequence";
import { Workspace } from "./workspace";

@unmanaged
export class KvCache extends ObjectHeader {
  /** Most positions of one sequence. */
  limit: i32;
  /** Most sequences in one forward pass. */
  maxBatch: i32;
  /** Most tokens in one forward pass, over all its sequences. */
  chunk: i32;
  /** Sequences of the forward pass that has begun; 0 if none has. */
  batch: i32;
  /** Addresses of these sequences, in the order of the pass: usize[MAX_BATCH]. */
  members: usize;
  /** MAX_SEQUENCES records, and their page lists after them. */
  sequences: usize;
  /** Page tables on the GPU. */
  tables: usize;
  rotations: usize;
  /** LAYERS pairs of buffers: keys and values, each [page, position, key/value head, dimension]. */
  layers: usize;

  get workspace(): Workspace {
    return changetype<Workspace>(changetype<usize>(this) + offsetof<KvCache>());
  }

  get pool(): PagePool {
    return changetype<PagePool>(changetype<usize>(this) + offsetof<KvCache>() + offsetof<Workspace>());
  }

  /** Record number `index` of MAX_SEQUENCES. */
  sequence(index: i32): Sequence {
    return changetype<Sequence>(this.sequences + <usize>index * offsetof<Sequence>());
  }

  /** Sequence number `index` of the forward pass. */
  member(index: i32): Sequence {
    return changetype<Sequence>(load<usize>(this.members + (<usize>index << 2)));
  }

  /** Tokens of the forward pass, over all its sequences. */
  get pendingTokens(): i32 {
    let tokens = 0;
    for (let i = 0; i < this.batch; i++) tokens += this.member(i).pending;
    return tokens;
  }

  keys(layer: i32): usize {
    return load<usize>(this.layers + ((<usize>layer) << 3));
  }

  values(layer: i32): usize {
    return load<usize>(this.layers + ((<usize>layer) << 3), 4);
  }
}
