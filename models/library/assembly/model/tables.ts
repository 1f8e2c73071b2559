/**
 * What kernels know of sequences: one GPU buffer of 32-bit words, `tables`. First come records of two words,
 * position and start of a page table in this buffer; then a page table for each sequence, which says in which
 * page of the cache its positions 0 … 15, 16 … 31 and so on lie.
 *
 * A kernel adds its scalars `position` and `table` to the record of its token. Record 0 is zero, for a pass of
 * one sequence: then the scalars say all, and nothing has to be written to the GPU, which would cost a
 * submission. Records 1 … MAX_BATCH are written for a pass of several, where the scalars are zero.
 */
import { OK } from "../ffi/errors";
import { writeBuffer } from "../tensor/device";
import { MAX_BATCH } from "../generated";
import { KvCache } from "./kv-cache";
import { MAX_SEQUENCES, Sequence, SEQUENCE_PAGES } from "./sequence";

const RECORD_BYTES: usize = 8;
const FIRST_TABLE: i32 = 2 * (1 + MAX_BATCH);
const scratch: usize = memory.data(<i32>MAX_BATCH * 8, 8);

export function tableBytes(): usize {
  return <usize>(FIRST_TABLE + MAX_SEQUENCES * SEQUENCE_PAGES) << 2;
}

/** Where the page table of sequence record `index` begins, in words. */
export function tableOf(index: i32): i32 {
  return FIRST_TABLE + index * SEQUENCE_PAGES;
}

/** Writes the record of every sequence of the forward pass, at its first new position. */
export function writeRecords(cache: KvCache): i32 {
  for (let i = 0; i < cache.batch; i++) {
    const sequence = cache.member(i);
    const at = scratch + <usize>i * RECORD_BYTES;
    store<i32>(at, sequence.length);
    store<i32>(at + 4, sequence.table);
  }
  return writeBuffer(scratch, cache.tables, RECORD_BYTES, <usize>cache.batch * RECORD_BYTES);
}

/** Writes what is new in a sequence's page table. */
export function writeTable(cache: KvCache, sequence: Sequence): i32 {
  const first = sequence.pagesOnGpu;
  const added = sequence.pageCount - first;
  if (added <= 0) return OK;
  const offset = <usize>first << 2;
  const status = writeBuffer(
    sequence.pages + offset,
    cache.tables,
    (<usize>sequence.table << 2) + offset,
    <usize>added << 2,
  );
  if (status == OK) sequence.pagesOnGpu = sequence.pageCount;
  return status;
}
