/** Global functions on shapes and arrays. */
import { defineGlobal } from "../ffi/globals";
import { FunctionObject } from "../ffi/functions";
import { Cell, copyToOwned } from "../ffi/values";
import { newArray, newShape } from "../ffi/containers";
import { arrayArgument } from "../ffi/arguments";
import { fail, FAILED, OK, say, sayNumber } from "../ffi/errors";

function shape(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const made = newShape(count);
  for (let i = 0; i < count; i++) made.set(i, args.at(i).int);
  result.setObject(changetype<usize>(made));
  return OK;
}

function array(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const made = newArray(count);
  for (let i = 0; i < count; i++) copyToOwned(args.at(i), made.cell(i));
  result.setObject(changetype<usize>(made));
  return OK;
}

function arrayItem(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const source = arrayArgument(args, 0);
  if (!source) return FAILED;
  const index = args.at(1).int;
  if (index < 0 || index >= source.length) {
    fail("index ");
    sayNumber(index);
    say(" is outside an array of length ");
    return sayNumber(source.length);
  }
  copyToOwned(source.cell(index), result);
  return OK;
}

function arraySize(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const source = arrayArgument(args, 0);
  if (!source) return FAILED;
  result.setInt(source.length);
  return OK;
}

function arrayConcat(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  let total = 0;
  for (let i = 0; i < count; i++) {
    const part = arrayArgument(args, i);
    if (!part) return FAILED;
    total += part.length;
  }
  const made = newArray(total);
  let at = 0;
  for (let i = 0; i < count; i++) {
    const part = arrayArgument(args, i)!;
    for (let j = 0; j < part.length; j++) copyToOwned(part.cell(j), made.cell(at++));
  }
  result.setObject(changetype<usize>(made));
  return OK;
}

export function defineArrayFunctions(): void {
  defineGlobal("ffi.Shape", 0, shape);
  defineGlobal("ffi.Array", 0, array);
  defineGlobal("ffi.ArrayGetItem", 2, arrayItem);
  defineGlobal("ffi.ArraySize", 1, arraySize);
  defineGlobal("tvmjs.runtime.ArrayConcat", 0, arrayConcat);
}
