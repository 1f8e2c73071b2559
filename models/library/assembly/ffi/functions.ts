/**
 * Function objects: native bodies of this library, and JavaScript functions that web-llm registered. One
 * entry, `callFunction`, runs both.
 */
import { allocateObject, ObjectHeader, onDestroy, release, retain, TAG_FUNCTION } from "./objects";
import { Cell, CELL_BYTES } from "./values";
import { fail, FAILED, runningFunction, say, sayNumber, setRunningFunction } from "./errors";

@external("env", "TVMFFIWasmSafeCall")
declare function callJavaScript(slot: usize, args: usize, count: i32, result: usize): i32;
@external("env", "TVMFFIWasmFunctionDeleter")
declare function releaseJavaScript(slot: usize): void;

/** `result` is preset to None and receives an owned value; arguments are borrowed. Returns OK or FAILED. */
export type Body = (self: FunctionObject, args: Cell, count: i32, result: Cell) => i32;

@unmanaged
export class FunctionObject extends ObjectHeader {
  /** Table index of the native body, plus 1; 0 means the body is JavaScript function number `slot`. */
  body: u32;
  slot: usize;
  /** Fewest arguments that a native body accepts. */
  arity: i32;
  /** Native only: address of the name literal, for messages. */
  name: usize;
  /** An object that the function keeps alive and works on, such as its module; 0 for none. */
  bound: usize;
}

export function newNativeFunction(name: string, arity: i32, body: Body, bound: usize): usize {
  const self = changetype<FunctionObject>(allocateObject(TAG_FUNCTION, offsetof<FunctionObject>()));
  self.body = body.index + 1;
  self.arity = arity;
  self.name = changetype<usize>(name);
  if (bound) self.bound = retain(bound);
  return changetype<usize>(self);
}

export function newJavaScriptFunction(slot: usize): usize {
  const self = changetype<FunctionObject>(allocateObject(TAG_FUNCTION, offsetof<FunctionObject>()));
  self.slot = slot;
  return changetype<usize>(self);
}

onDestroy(TAG_FUNCTION, (object: usize): void => {
  const self = changetype<FunctionObject>(object);
  if (!self.body) releaseJavaScript(self.slot);
  release(self.bound);
});

export function callFunction(callee: usize, args: Cell, count: i32, result: Cell): i32 {
  const self = changetype<FunctionObject>(callee);
  if (!self.body) return callJavaScript(self.slot, changetype<usize>(args), count, changetype<usize>(result));
  const caller = runningFunction;
  setRunningFunction(changetype<string>(self.name));
  let status: i32;
  if (count < self.arity) {
    fail("expected ");
    sayNumber(self.arity);
    say(" arguments, got ");
    sayNumber(count);
    status = FAILED;
  } else {
    status = call_indirect<i32>(self.body - 1, callee, changetype<usize>(args), count, changetype<usize>(result));
  }
  setRunningFunction(caller);
  return status;
}

/**
 * Cells for outgoing calls. JavaScript works in place on them and may call back into the library, which
 * calls out again, so they form a stack.
 */
const STACK_CELLS: i32 = 512;
const stack: usize = memory.data(512 * 16, 8);
let stackTop: usize = 0;

export function pushCells(count: i32): Cell {
  const cells = stack + stackTop;
  stackTop += <usize>count * CELL_BYTES;
  assert(stackTop <= <usize>STACK_CELLS * CELL_BYTES);
  return changetype<Cell>(cells);
}

export function popCells(count: i32): void {
  stackTop -= <usize>count * CELL_BYTES;
}
