/** Announcing and committing forward passes. All is checked before anything changes. */
import { Cell } from "../ffi/values";
import { FunctionObject } from "../ffi/functions";
import { ShapeObject } from "../ffi/containers";
import { kvCacheArgument, shapeArgument } from "../ffi/arguments";
import { fail, FAILED, OK, say, sayNumber } from "../ffi/errors";
import { KvCache } from "./kv-cache";
import { pagesFor } from "./page-pool";
import { Sequence } from "./sequence";
import { dropPages, failFull, findSequence } from "./sequences";
import { writeTable } from "./tables";

/** (cache, sequence ids, lengths): reserves the pages of a forward pass of these sequences, in this order */
export function beginForward(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const cache = changetype<KvCache | null>(kvCacheArgument(args, 0));
  const ids = shapeArgument(args, 1);
  const lengths = shapeArgument(args, 2);
  if (!cache || !ids || !lengths) return FAILED;
  if (count > 3 && args.at(3).tag != 0) return fail("a forward pass over a tree of tokens is not supported");
  abandonForward(cache);
  if (checkPass(cache, ids, lengths) != OK) return FAILED;
  cache.batch = ids.length;
  for (let i = 0; i < cache.batch; i++) {
    const sequence = cache.member(i);
    sequence.pending = lengths.at(i);
    const wanted = pagesFor(sequence.length + sequence.pending);
    while (sequence.pageCount < wanted) sequence.addPage(cache.pool.take());
    if (writeTable(cache, sequence) != OK) {
      cache.batch = i + 1;
      abandonForward(cache);
      return FAILED;
    }
  }
  return OK;
}

/** (cache): makes the tokens of the pass part of their sequences */
export function endForward(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const cache = changetype<KvCache | null>(kvCacheArgument(args, 0));
  if (!cache) return FAILED;
  if (!cache.batch) return fail("no forward pass has begun");
  for (let i = 0; i < cache.batch; i++) {
    const sequence = cache.member(i);
    sequence.length += sequence.pending;
    sequence.pending = 0;
  }
  cache.batch = 0;
  return OK;
}

/** Ends a pass that was announced but not committed, because something failed: its pages become free again. */
export function abandonForward(cache: KvCache): void {
  for (let i = 0; i < cache.batch; i++) {
    const sequence = cache.member(i);
    sequence.pending = 0;
    dropPages(cache, sequence, pagesFor(sequence.length));
  }
  cache.batch = 0;
}

/** Checks a pass and notes its members. */
function checkPass(cache: KvCache, ids: ShapeObject, lengths: ShapeObject): i32 {
  const batch = ids.length;
  if (batch != lengths.length) return fail("a forward pass needs as many lengths as sequences");
  if (batch < 1 || batch > cache.maxBatch) return failRange("sequences", cache.maxBatch, batch);
  let tokens = 0;
  let pages = 0;
  for (let i = 0; i < batch; i++) {
    const sequence = findSequence(cache, ids.at(i));
    if (!sequence) return failUnknown(ids.at(i));
    for (let j = 0; j < i; j++) {
      if (cache.member(j) === sequence) return failTwice(sequence.id);
    }
    store<usize>(cache.members + (<usize>i << 2), changetype<usize>(sequence));
    const length = lengths.at(i);
    if (length < 1 || length > cache.chunk) return failRange("tokens", cache.chunk, length);
    if (sequence.length + length > cache.limit) return failContext(cache, sequence, length);
    tokens += length;
    pages += pagesFor(sequence.length + length) - sequence.pageCount;
  }
  if (tokens > cache.chunk) return failRange("tokens", cache.chunk, tokens);
  return pages > cache.pool.free ? failFull(cache, pages) : OK;
}

function failRange(what: string, most: i32, got: i32): i32 {
  fail("a forward pass takes 1 to ");
  sayNumber(most);
  say(" ");
  say(what);
  say(", got ");
  return sayNumber(got);
}

function failTwice(id: i32): i32 {
  fail("a forward pass names twice the sequence with id ");
  return sayNumber(id);
}

export function failUnknown(id: i32): i32 {
  fail("no sequence has the id ");
  return sayNumber(id);
}

function failContext(cache: KvCache, sequence: Sequence, more: i32): i32 {
  fail("the context window of ");
  sayNumber(cache.limit);
  say(" tokens is full: ");
  sayNumber(sequence.length);
  say(" are filled, ");
  sayNumber(more);
  return say(" more do not fit");
}
