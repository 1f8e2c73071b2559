/** Element types as DLPack encodes them: a code (0 signed, 1 unsigned, 2 float) and a width in bits. */
import { Span } from "../ffi/text";
import { fail, sayBytes } from "../ffi/errors";

@unmanaged
export class ElementType {
  code: u8;
  bits: u8;
}

export const INT32: ElementType = changetype<ElementType>(memory.data<u8>([0, 32]));
export const FLOAT32: ElementType = changetype<ElementType>(memory.data<u8>([2, 32]));
const parsed: ElementType = changetype<ElementType>(memory.data<u8>([0, 0]));

const LETTER_B: u8 = 0x62;
const LETTER_F: u8 = 0x66;
const LETTER_I: u8 = 0x69;
const LETTER_U: u8 = 0x75;

/**
 * Reads "float32", "int8", "uint32", "bool"; null, with an error, for anything else. Valid until the next
 * call.
 */
export function parseElementType(text: Span): ElementType | null {
  const letter = text.size ? load<u8>(text.data) : 0;
  let bits: u32 = 0;
  for (let i: usize = 0; i < text.size; i++) {
    const digit = <u32>load<u8>(text.data + i) - 0x30;
    if (digit <= 9) bits = bits * 10 + digit;
  }
  parsed.code = letter == LETTER_I ? 0 : letter == LETTER_F ? 2 : 1;
  parsed.bits = letter == LETTER_B ? 8 : <u8>bits;
  const known = letter == LETTER_I || letter == LETTER_U || letter == LETTER_F || letter == LETTER_B;
  if (known && parsed.bits) return parsed;
  fail("unknown element type ");
  sayBytes(text.data, text.size);
  return null;
}
