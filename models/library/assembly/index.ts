/**
 * The C interface that web-llm's runtime (tvmjs) calls: memory, errors, objects, functions. Everything else
 * is reached through functions looked up by name. See ../README.md and the ABI notes it names.
 */
import {
  liveObjects,
  release,
  retain,
  TAG_ARRAY,
  TAG_BYTES,
  TAG_FIRST_OBJECT,
  TAG_FUNCTION,
  TAG_MODULE,
  TAG_SHAPE,
  TAG_STRING,
  TAG_TENSOR,
} from "./ffi/objects";
import { Span } from "./ffi/text";
import { Cell, copyToOwned } from "./ffi/values";
import { keepForeignError, lastError, OK } from "./ffi/errors";
import { callFunction, newJavaScriptFunction } from "./ffi/functions";
import { findGlobal, setGlobal } from "./ffi/globals";
import { createdBuffers } from "./tensor/device";
import { launches } from "./model/launch";
import { defineKvStateFunctions } from "./model/kv-state-functions";
import { defineArrayFunctions } from "./runtime/array-functions";
import { defineModuleFunctions } from "./runtime/module-functions";
import { defineTensorCache } from "./runtime/tensor-cache";
import { defineTensorFunctions } from "./runtime/tensor-functions";
import { defineUnsupported } from "./runtime/unsupported";

export function TVMWasmAllocSpace(bytes: usize): usize {
  return heap.alloc(max<usize>(bytes, 1));
}

export function TVMWasmFreeSpace(address: usize): void {
  heap.free(address);
}

export function TVMFFIWasmGetLastError(): usize {
  return lastError();
}

export function TVMFFIErrorSetRaisedFromCStr(kind: usize, message: usize): void {
  keepForeignError(kind, message);
}

export function TVMFFIObjectIncRef(object: usize): i32 {
  retain(object);
  return OK;
}

export function TVMFFIObjectDecRef(object: usize): i32 {
  release(object);
  return OK;
}

export function TVMFFIFunctionGetGlobal(name: Span, out: usize): i32 {
  const found = findGlobal(name);
  store<usize>(out, found ? retain(found) : 0);
  return OK;
}

export function TVMFFIFunctionSetGlobal(name: Span, callee: usize, replace: i32): i32 {
  return setGlobal(name, callee, replace != 0);
}

export function TVMFFIWasmFunctionCreate(slot: usize, out: usize): i32 {
  store<usize>(out, newJavaScriptFunction(slot));
  return OK;
}

export function TVMFFIFunctionCall(callee: usize, args: Cell, count: i32, result: Cell): i32 {
  return callFunction(callee, args, count, result);
}

export function TVMFFIAnyViewToOwnedAny(source: Cell, target: Cell): i32 {
  copyToOwned(source, target);
  return OK;
}

export function TVMFFITypeKeyToIndex(key: Span, out: usize): i32 {
  let tag = TAG_FIRST_OBJECT;
  if (key.equalsLiteral("ffi.Array")) tag = TAG_ARRAY;
  else if (key.equalsLiteral("ffi.Module")) tag = TAG_MODULE;
  else if (key.equalsLiteral("ffi.Shape")) tag = TAG_SHAPE;
  else if (key.equalsLiteral("ffi.Tensor")) tag = TAG_TENSOR;
  else if (key.equalsLiteral("ffi.Function")) tag = TAG_FUNCTION;
  else if (key.equalsLiteral("ffi.String")) tag = TAG_STRING;
  else if (key.equalsLiteral("ffi.Bytes")) tag = TAG_BYTES;
  store<i32>(out, tag);
  return OK;
}

/** Counters for tests and diagnosis; web-llm does not know them. */
export function infetchLiveObjects(): i32 {
  return liveObjects;
}
export function infetchCreatedBuffers(): i32 {
  return createdBuffers;
}
export function infetchLaunches(): i32 {
  return launches;
}

/** Stands in for AssemblyScript's abort, which would need an import that web-llm does not offer. */
export function onAbort(message: usize, file: usize, line: i32, column: i32): void {
  unreachable();
}

defineArrayFunctions();
defineTensorFunctions();
defineTensorCache();
defineModuleFunctions();
defineKvStateFunctions();
defineUnsupported();
