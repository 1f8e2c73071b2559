/**
 * Makes llama.cpp write invalid UTF-8 as U+FFFD (decision 092). wllama serializes steps with nlohmann's strict error
 * handler, which throws at an invalid byte in a reply or in an alternative of its log probabilities: the step is lost.
 *
 * `serializer::dump_escaped` reads the handler in two places; there it becomes the constant `replace`.
 */

/** Code of one build, in hexadecimal. Each begins where the handler is read, and must be unique in the file. */
type TextCode = readonly [atByte: string, atEnd: string];

/** wllama 3.13.0, 64-bit memory. */
export const MAIN_TEXT: TextCode = ["20002802f804220c41016b41024f", "20003502f804220442025804"];
/** wllama-compat 3.13.0, 32-bit memory, instrumented by Asyncify. */
export const COMPAT_TEXT: TextCode = [
  "20002802dc04220341016b41024f",
  "20002802dc0421030b024002400240230b4504",
];

/** nlohmann's `error_handler_t::replace`. */
const REPLACE = 1;
const LOAD_BYTES = 6;
const CONSTANT = { i32: 0x41, i64: 0x42 };
const I64_LOAD32_U = 0x35;
const NOP = 0x01;

/** @throws if the code is missing or not unique, as in another version of wllama */
export function patchText(wasm: Uint8Array, code: TextCode): Buffer {
  const patched = Buffer.from(wasm);
  for (const text of code) {
    const found = Buffer.from(text, "hex");
    const at = patched.indexOf(found);
    if (at < 0 || patched.indexOf(found, at + 1) >= 0) {
      throw new Error(`wllama's code of JSON texts is not where it was: ${text}`);
    }
    // `local.get`, then a load with its alignment and offset: the same length, so that no size changes.
    const constant = found[2] === I64_LOAD32_U ? CONSTANT.i64 : CONSTANT.i32;
    patched.fill(NOP, at, at + LOAD_BYTES);
    patched.set([constant, REPLACE], at);
  }
  return patched;
}
