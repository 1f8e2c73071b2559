/**
 * Sequences and their pages. Each ends in a page of its own unless that page is full: full pages may be held
 * by several sequences, a page that can still be written to by one only. So a sequence of n positions needs
 * exactly `pagesFor(n + m) - pagesFor(n)` free pages for m more.
 */
import { fail, FAILED, OK, say, sayNumber } from "../ffi/errors";
import { COPY_PAGE_PAGE_VECTORS, COPY_PAGE_WORKGROUP, launchCopyPage, LAYERS, PAGE } from "../generated";
import { groupsFor } from "./launch";
import { KvCache } from "./kv-cache";
import { pagesFor } from "./page-pool";
import { MAX_SEQUENCES, Sequence } from "./sequence";

/** The sequence with this id; null if there is none. */
export function findSequence(cache: KvCache, id: i32): Sequence | null {
  for (let i = 0; i < MAX_SEQUENCES; i++) {
    const sequence = cache.sequence(i);
    if (sequence.alive && sequence.id == id) return sequence;
  }
  return null;
}

/** A new, empty sequence; null, with an error, if the id is taken or there are too many. */
export function addSequence(cache: KvCache, id: i32): Sequence | null {
  if (id < 0 || findSequence(cache, id)) {
    fail(id < 0 ? "a sequence id must be 0 or more, got " : "there is a sequence already with id ");
    sayNumber(id);
    return null;
  }
  for (let i = 0; i < MAX_SEQUENCES; i++) {
    const sequence = cache.sequence(i);
    if (sequence.alive) continue;
    sequence.alive = 1;
    sequence.id = id;
    sequence.length = 0;
    sequence.pending = 0;
    sequence.pageCount = 0;
    sequence.pagesOnGpu = 0;
    return sequence;
  }
  fail("the cache holds its most sequences, ");
  sayNumber(MAX_SEQUENCES);
  say(": remove one first");
  return null;
}

export function removeSequence(cache: KvCache, sequence: Sequence): void {
  dropPages(cache, sequence, 0);
  sequence.alive = 0;
}

/** Gives up all pages from number `keep` on. */
export function dropPages(cache: KvCache, sequence: Sequence, keep: i32): void {
  while (sequence.pageCount > keep) cache.pool.drop(sequence.page(--sequence.pageCount));
  sequence.pagesOnGpu = min(sequence.pagesOnGpu, keep);
}

/** A new sequence that begins with the first `length` positions of another. Full pages are shared. */
export function forkSequence(cache: KvCache, parent: Sequence, id: i32, length: i32): i32 {
  const shared = length / PAGE;
  const copies = length % PAGE != 0;
  if (copies && cache.pool.free < 1) return failFull(cache, 1);
  const child = addSequence(cache, id);
  if (!child) return FAILED;
  for (let i = 0; i < shared; i++) {
    cache.pool.share(parent.page(i));
    child.addPage(parent.page(i));
  }
  child.length = shared * PAGE;
  if (!copies) return OK;
  if (addCopyOf(cache, child, parent.page(shared)) != OK) {
    removeSequence(cache, child);
    return FAILED;
  }
  child.length = length;
  return OK;
}

/** Forgets all positions from `length` on. A shared page that is then no longer full is copied. */
export function truncateSequence(cache: KvCache, sequence: Sequence, length: i32): i32 {
  const full = length / PAGE;
  const partial = length % PAGE != 0 ? sequence.page(full) : -1;
  const copies = partial >= 0 && cache.pool.holdersOf(partial) > 1;
  if (copies && cache.pool.free + freedBeyond(cache, sequence, full + 1) < 1) return failFull(cache, 1);
  dropPages(cache, sequence, copies ? full : pagesFor(length));
  sequence.length = copies ? full * PAGE : length;
  if (!copies) return OK;
  // The page's other holders keep its content in place until the copy is made.
  if (addCopyOf(cache, sequence, partial) != OK) return FAILED;
  sequence.length = length;
  return OK;
}

/** Pages that would become free if the sequence gave up its pages from number `keep` on. */
function freedBeyond(cache: KvCache, sequence: Sequence, keep: i32): i32 {
  let freed = 0;
  for (let i = keep; i < sequence.pageCount; i++) {
    if (cache.pool.holdersOf(sequence.page(i)) == 1) freed++;
  }
  return freed;
}

/** Appends a copy of a page, which takes a free one. */
function addCopyOf(cache: KvCache, sequence: Sequence, source: i32): i32 {
  const page = cache.pool.take();
  const groups = groupsFor(COPY_PAGE_PAGE_VECTORS, COPY_PAGE_WORKGROUP);
  for (let layer = 0; layer < LAYERS; layer++) {
    if (launchCopyPage(cache.keys(layer), cache.values(layer), source, page, groups, 1) != OK) {
      cache.pool.drop(page);
      return FAILED;
    }
  }
  sequence.addPage(page);
  return OK;
}

export function failFull(cache: KvCache, needed: i32): i32 {
  fail("the KV cache is full: ");
  sayNumber(needed);
  say(needed == 1 ? " page is needed, " : " pages are needed, ");
  sayNumber(cache.pool.free);
  say(" of ");
  sayNumber(cache.pool.total);
  return say(" are free; remove a sequence or create a larger cache");
}
