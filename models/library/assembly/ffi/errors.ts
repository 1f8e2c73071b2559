/**
 * The last error, as text for a human. A function that fails composes its message here and returns FAILED;
 * web-llm then reads it with TVMFFIWasmGetLastError and throws it as an Error.
 */
import { lengthOfCString } from "./text";

export const OK: i32 = 0;
export const FAILED: i32 = -1;

const CAPACITY: usize = 1024;
const buffer: usize = memory.data(1024);
let size: usize = 0;
/** Name of the library function that runs now; it opens every message. */
export let runningFunction: string = "";

export function setRunningFunction(name: string): void {
  runningFunction = name;
}

function append(byte: u8): void {
  if (size < CAPACITY - 1) store<u8>(buffer + size++, byte);
  store<u8>(buffer + size, 0);
}

/**
 * Starts a message: "infetch model library, <function>: <text>". Go on with `say`, `sayNumber` or
 * `sayBytes`.
 */
export function fail(text: string): i32 {
  size = 0;
  say("infetch model library");
  if (runningFunction.length) {
    say(", ");
    say(runningFunction);
  }
  say(": ");
  return say(text);
}

export function say(text: string): i32 {
  for (let i = 0; i < text.length; i++) append(<u8>text.charCodeAt(i));
  return FAILED;
}

export function sayBytes(data: usize, count: usize): i32 {
  for (let i: usize = 0; i < count; i++) append(load<u8>(data + i));
  return FAILED;
}

export function sayNumber(value: i32): i32 {
  if (value < 0) {
    append(0x2d);
    return sayNumber(-value);
  }
  if (value >= 10) sayNumber(value / 10);
  append(0x30 + <u8>(value % 10));
  return FAILED;
}

/** Keeps an error that JavaScript raised inside a callback, unchanged. */
export function keepForeignError(kind: usize, message: usize): void {
  size = 0;
  sayBytes(kind, lengthOfCString(kind));
  say(": ");
  sayBytes(message, lengthOfCString(message));
}

/** Address of the message, NUL-terminated. */
export function lastError(): usize {
  return buffer;
}
