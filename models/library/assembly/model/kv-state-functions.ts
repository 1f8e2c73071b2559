/**
 * The global functions that keep the sequences of a KV cache. Each of them abandons a forward pass that has
 * begun and not ended (`kv-forward.ts`): such a pass has failed.
 */
import { defineGlobal } from "../ffi/globals";
import { FunctionObject } from "../ffi/functions";
import { Cell } from "../ffi/values";
import { kvCacheArgument } from "../ffi/arguments";
import { fail, FAILED, OK, say, sayNumber } from "../ffi/errors";
import { KvCache } from "./kv-cache";
import { failSlidingWindow } from "./kv-cache-life";
import { abandonForward, beginForward, endForward, failUnknown } from "./kv-forward";
import { MAX_SEQUENCES, Sequence } from "./sequence";
import { addSequence as addTo, findSequence, forkSequence, removeSequence, truncateSequence } from "./sequences";

@inline
function cacheArgument(args: Cell): KvCache | null {
  return changetype<KvCache | null>(kvCacheArgument(args, 0));
}

/** The cache in argument 0, with no forward pass under way. */
function idleCacheArgument(args: Cell): KvCache | null {
  const cache = cacheArgument(args);
  if (cache) abandonForward(cache);
  return cache;
}

/** The sequence whose id is argument 1; null after an error. */
function sequenceArgument(cache: KvCache, args: Cell): Sequence | null {
  const sequence = findSequence(cache, args.at(1).int);
  if (!sequence) failUnknown(args.at(1).int);
  return sequence;
}

function clear(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const cache = idleCacheArgument(args);
  if (!cache) return FAILED;
  for (let i = 0; i < MAX_SEQUENCES; i++) {
    if (cache.sequence(i).alive) removeSequence(cache, cache.sequence(i));
  }
  return OK;
}

/** (cache, id) */
function add(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const cache = idleCacheArgument(args);
  return cache && addTo(cache, args.at(1).int) ? OK : FAILED;
}

/** (cache, id) */
function remove(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const cache = idleCacheArgument(args);
  const sequence = cache ? sequenceArgument(cache, args) : null;
  if (!sequence) return FAILED;
  removeSequence(cache!, sequence);
  return OK;
}

/** (cache, parent id, child id, position): the child begins with the parent's positions before it; -1: all */
function fork(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const cache = idleCacheArgument(args);
  const parent = cache ? sequenceArgument(cache, args) : null;
  if (!parent) return FAILED;
  const position = args.at(3).int;
  if (position < -1 || position > parent.length) {
    fail("a fork position must be -1 to ");
    sayNumber(parent.length);
    say(", the length of the sequence, got ");
    return sayNumber(position);
  }
  return forkSequence(cache!, parent, args.at(2).int, position < 0 ? parent.length : position);
}

/** (cache, id, count): forgets the last tokens */
function popTokens(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const cache = idleCacheArgument(args);
  const sequence = cache ? sequenceArgument(cache, args) : null;
  if (!sequence) return FAILED;
  const tokens = args.at(2).int;
  if (tokens < 0 || tokens > sequence.length) {
    fail("0 to ");
    sayNumber(sequence.length);
    say(" tokens can be removed from this sequence, got ");
    return sayNumber(tokens);
  }
  return truncateSequence(cache!, sequence, sequence.length - tokens);
}

/** (cache, id) */
function sequenceLength(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const cache = cacheArgument(args);
  const sequence = cache ? sequenceArgument(cache, args) : null;
  if (!sequence) return FAILED;
  result.setInt(sequence.length);
  return OK;
}

/** (cache): positions filled in all sequences, shared ones counted once for each */
function totalLength(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const cache = cacheArgument(args);
  if (!cache) return FAILED;
  let total = 0;
  for (let i = 0; i < MAX_SEQUENCES; i++) {
    if (cache.sequence(i).alive) total += cache.sequence(i).length;
  }
  result.setInt(total);
  return OK;
}

function availablePages(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const cache = cacheArgument(args);
  if (!cache) return FAILED;
  result.setInt(cache.pool.free);
  return OK;
}

function enableSlidingWindow(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  return failSlidingWindow();
}

export function defineKvStateFunctions(): void {
  defineGlobal("vm.builtin.kv_state_clear", 1, clear);
  defineGlobal("vm.builtin.kv_state_add_sequence", 2, add);
  defineGlobal("vm.builtin.kv_state_remove_sequence", 2, remove);
  defineGlobal("vm.builtin.kv_state_fork_sequence", 4, fork);
  defineGlobal("vm.builtin.kv_state_popn", 3, popTokens);
  defineGlobal("vm.builtin.kv_state_begin_forward", 3, beginForward);
  defineGlobal("vm.builtin.kv_state_end_forward", 1, endForward);
  defineGlobal("vm.builtin.attention_kv_cache_get_num_available_pages", 1, availablePages);
  defineGlobal("vm.builtin.attention_kv_cache_get_total_sequence_length", 1, totalLength);
  defineGlobal("vm.builtin.attention_kv_cache_get_sequence_length", 2, sequenceLength);
  defineGlobal("vm.builtin.attention_kv_cache_enable_sliding_window_for_seq", 1, enableSlidingWindow);
}
