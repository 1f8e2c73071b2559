/**
 * The tagged 16-byte values in which arguments and results cross the border: `tag`, `length` (small strings
 * only), and eight bytes of payload. JavaScript numbers arrive as floats, `Scalar`s as ints; object
 * payloads are addresses.
 */
import { ObjectHeader, TAG_BYTES, TAG_FIRST_OBJECT, TAG_STRING, retain, tagOf } from "./objects";
import { lengthOfCString, newText, Span, TextObject } from "./text";

const TAG_NONE: i32 = 0;
const TAG_INT: i32 = 1;
const TAG_FLOAT: i32 = 3;
const TAG_C_STRING: i32 = 8;
const TAG_BYTES_VIEW: i32 = 9;
const TAG_SMALL_STRING: i32 = 11;

export const CELL_BYTES: usize = 16;

@unmanaged
export class Cell {
  tag: i32;
  length: i32;
  bits: u64;

  /** The cell `index` places further: arguments lie one after another. */
  @inline
  at(index: i32): Cell {
    return changetype<Cell>(changetype<usize>(this) + <usize>index * CELL_BYTES);
  }

  @inline
  get object(): usize {
    return <usize>this.bits;
  }

  /** The number in the cell, whichever way it was passed; anything else counts as 0. */
  get int(): i32 {
    if (this.tag == TAG_FLOAT) return <i32>reinterpret<f64>(this.bits);
    return this.tag <= 2 ? <i32>this.bits : 0;
  }

  setNone(): void {
    this.tag = TAG_NONE;
    this.length = 0;
    this.bits = 0;
  }

  setInt(value: i64): void {
    this.tag = TAG_INT;
    this.length = 0;
    this.bits = value;
  }

  /** Stores an object; the caller's reference goes to the cell. */
  setObject(object: usize): void {
    this.tag = tagOf(object);
    this.length = 0;
    this.bits = <u64>object;
  }

  /** Points `span` at the text in the cell; false when there is none. */
  readText(span: Span): bool {
    if (this.tag == TAG_C_STRING) {
      span.data = <usize>this.bits;
      span.size = lengthOfCString(span.data);
      return true;
    }
    if (this.tag == TAG_STRING || this.tag == TAG_BYTES) {
      const text = changetype<TextObject>(this.object);
      span.data = text.data;
      span.size = text.size;
      return true;
    }
    if (this.tag == TAG_SMALL_STRING) {
      span.data = changetype<usize>(this) + offsetof<Cell>("bits");
      span.size = this.length;
      return true;
    }
    if (this.tag == TAG_BYTES_VIEW) {
      const view = changetype<Span>(this.object);
      span.data = view.data;
      span.size = view.size;
      return true;
    }
    return false;
  }
}

/**
 * Copies a borrowed value into an owned one: views of text become objects, objects gain a reference.
 * `source` and `target` may be the same cell.
 */
export function copyToOwned(source: Cell, target: Cell): void {
  const tag = source.tag;
  if (tag == TAG_C_STRING) {
    const data = source.object;
    target.setObject(changetype<usize>(newText(TAG_STRING, data, lengthOfCString(data))));
    return;
  }
  if (tag == TAG_BYTES_VIEW) {
    const view = changetype<Span>(source.object);
    target.setObject(changetype<usize>(newText(TAG_BYTES, view.data, view.size)));
    return;
  }
  if (tag >= TAG_FIRST_OBJECT) retain(source.object);
  if (source !== target) memory.copy(changetype<usize>(target), changetype<usize>(source), CELL_BYTES);
}
