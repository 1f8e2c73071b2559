/** The tensor cache: weights by name, filled by web-llm as it reads the shards. */
import { defineGlobal } from "../ffi/globals";
import { retain } from "../ffi/objects";
import { FunctionObject } from "../ffi/functions";
import { Cell } from "../ffi/values";
import { NameTable } from "../ffi/name-table";
import { Span } from "../ffi/text";
import { tensorArgument, textArgument } from "../ffi/arguments";
import { fail, FAILED, OK, sayBytes } from "../ffi/errors";

const cache = changetype<NameTable>(memory.data(4, 4));
const span = changetype<Span>(memory.data(8, 4));

/** The tensor with this name, borrowed; 0 for none. */
export function findCachedTensor(name: Span): usize {
  return cache.find(name);
}

/** (name, tensor, override) */
function update(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const tensor = tensorArgument(args, 1);
  if (!tensor || !textArgument(args, 0, span)) return FAILED;
  if (!args.at(2).int && cache.find(span)) {
    fail("the tensor cache has this name already: ");
    return sayBytes(span.data, span.size);
  }
  cache.set(span, tensor);
  return OK;
}

/** (name): the tensor or None */
function get(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  if (!textArgument(args, 0, span)) return FAILED;
  const tensor = cache.find(span);
  if (tensor) result.setObject(retain(tensor));
  return OK;
}

function remove(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  if (!textArgument(args, 0, span)) return FAILED;
  cache.remove(span);
  return OK;
}

function clear(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  cache.clear();
  return OK;
}

export function defineTensorCache(): void {
  defineGlobal("vm.builtin.tensor_cache.update", 3, update);
  defineGlobal("vm.builtin.tensor_cache.get", 1, get);
  defineGlobal("vm.builtin.tensor_cache.remove", 1, remove);
  defineGlobal("vm.builtin.tensor_cache.clear", 0, clear);
}
