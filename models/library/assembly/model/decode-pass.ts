/** One token for each sequence of a decode pass, as kernels see it; see `tables.ts`. */
import { OK } from "../ffi/errors";
import { MAX_SHARES, PAGE } from "../generated";
import { KvCache } from "./kv-cache";
import { groupsFor } from "./launch";
import { writeRecords } from "./tables";

@unmanaged
export class DecodePass {
  tokens: i32;
  /** One sequence: its position and page table, with record 0. Several: zeros, with records from 1 on. */
  position: i32;
  table: i32;
  record: i32;
  /** Shares of attention over the longest sequence. */
  shares: i32;

  /** Tokens that a kernel takes at a time. */
  get tile(): i32 {
    return tileFor(this.tokens);
  }

  /** Rows of workgroups, each for a tile. */
  get tiles(): i32 {
    return groupsFor(this.tokens, this.tile);
  }
}

/** The variant of the kernels for so many tokens: for one, two, four or eight at a time. It computes all its places, used or not. */
export function tileFor(tokens: i32): i32 {
  return tokens <= 2 ? tokens : tokens <= 4 ? 4 : 8;
}

const pass = changetype<DecodePass>(memory.data(20, 4));

/** The pass that has begun on this cache, valid until the next; null after an error. */
export function describeDecodePass(cache: KvCache): DecodePass | null {
  const alone = cache.batch == 1;
  pass.tokens = cache.batch;
  pass.position = alone ? cache.member(0).length : 0;
  pass.table = alone ? cache.member(0).table : 0;
  pass.record = alone ? 0 : 1;
  pass.shares = 1;
  for (let i = 0; i < cache.batch; i++) {
    pass.shares = max(pass.shares, min(cache.member(i).length / PAGE + 1, MAX_SHARES));
  }
  return alone || writeRecords(cache) == OK ? pass : null;
}
