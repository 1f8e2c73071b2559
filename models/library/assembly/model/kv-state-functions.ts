/** The global functions with which web-llm drives the KV cache. */
import { defineGlobal } from "../ffi/globals";
import { FunctionObject } from "../ffi/functions";
import { Cell } from "../ffi/values";
import { kvCacheArgument, shapeArgument } from "../ffi/arguments";
import { fail, FAILED, OK, say, sayNumber } from "../ffi/errors";
import { failSlidingWindow, KvCache } from "./kv-cache";

@inline
function cacheArgument(args: Cell): KvCache | null {
  return changetype<KvCache | null>(kvCacheArgument(args, 0));
}

function clear(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const cache = cacheArgument(args);
  if (!cache) return FAILED;
  cache.length = 0;
  cache.pending = 0;
  cache.hasSequence = false;
  return OK;
}

/** (cache, sequence id) */
function addSequence(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const cache = cacheArgument(args);
  if (!cache) return FAILED;
  if (args.at(1).int != 0 || cache.hasSequence) return fail("the cache holds one sequence, with id 0");
  cache.hasSequence = true;
  return OK;
}

/** (cache, sequence ids, lengths) */
function beginForward(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const cache = cacheArgument(args);
  const lengths = shapeArgument(args, 2);
  if (!cache || !lengths) return FAILED;
  if (!cache.hasSequence || lengths.length != 1) return fail("a forward pass needs exactly one sequence");
  const length = lengths.at(0);
  if (length < 1 || length > cache.chunk) {
    fail("a forward pass takes 1 to ");
    sayNumber(cache.chunk);
    say(" tokens, got ");
    return sayNumber(length);
  }
  if (cache.length + length > cache.capacity) {
    fail("the context window of ");
    sayNumber(cache.capacity);
    say(" tokens is full: ");
    sayNumber(cache.length);
    say(" are filled, ");
    sayNumber(length);
    return say(" more do not fit");
  }
  cache.pending = length;
  return OK;
}

function endForward(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const cache = cacheArgument(args);
  if (!cache) return FAILED;
  cache.length += cache.pending;
  cache.pending = 0;
  return OK;
}

/** (cache, sequence id, count): forgets the last tokens */
function popTokens(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const cache = cacheArgument(args);
  if (!cache) return FAILED;
  const tokens = args.at(2).int;
  if (tokens < 0 || tokens > cache.length) return fail("cannot remove more tokens than the cache holds");
  cache.length -= tokens;
  return OK;
}

function sequenceLength(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const cache = cacheArgument(args);
  if (!cache) return FAILED;
  result.setInt(cache.length);
  return OK;
}

function enableSlidingWindow(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  return failSlidingWindow();
}

export function defineKvStateFunctions(): void {
  defineGlobal("vm.builtin.kv_state_clear", 1, clear);
  defineGlobal("vm.builtin.kv_state_add_sequence", 2, addSequence);
  defineGlobal("vm.builtin.kv_state_remove_sequence", 2, clear);
  defineGlobal("vm.builtin.kv_state_begin_forward", 3, beginForward);
  defineGlobal("vm.builtin.kv_state_end_forward", 1, endForward);
  defineGlobal("vm.builtin.kv_state_popn", 3, popTokens);
  defineGlobal("vm.builtin.attention_kv_cache_get_sequence_length", 1, sequenceLength);
  defineGlobal("vm.builtin.attention_kv_cache_enable_sliding_window_for_seq", 1, enableSlidingWindow);
}
