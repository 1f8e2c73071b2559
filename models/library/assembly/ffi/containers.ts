/** Shapes (lists of integers) and arrays (lists of values). Both are opaque to web-llm. */
import {
  allocateObject,
  ObjectHeader,
  onDestroy,
  release,
  TAG_ARRAY,
  TAG_FIRST_OBJECT,
  TAG_SHAPE,
} from "./objects";
import { Cell, CELL_BYTES } from "./values";

@unmanaged
export class ShapeObject extends ObjectHeader {
  /** Address of `length` 64-bit integers. */
  data: usize;
  length: i32;

  at(index: i32): i32 {
    return <i32>load<i64>(this.data + ((<usize>index) << 3));
  }

  set(index: i32, value: i64): void {
    store<i64>(this.data + ((<usize>index) << 3), value);
  }
}

export function newShape(length: i32): ShapeObject {
  const bytes = offsetof<ShapeObject>() + ((<usize>length) << 3);
  const shape = changetype<ShapeObject>(allocateObject(TAG_SHAPE, bytes));
  shape.data = changetype<usize>(shape) + offsetof<ShapeObject>();
  shape.length = length;
  return shape;
}

@unmanaged
export class ArrayObject extends ObjectHeader {
  length: i32;
  reserved: i32;

  /** The cell that holds an element; the array owns the value in it. */
  cell(index: i32): Cell {
    return changetype<Cell>(changetype<usize>(this) + offsetof<ArrayObject>() + <usize>index * CELL_BYTES);
  }
}

/** A new array of None; fill it through `cell`. */
export function newArray(length: i32): ArrayObject {
  const bytes = offsetof<ArrayObject>() + <usize>length * CELL_BYTES;
  const array = changetype<ArrayObject>(allocateObject(TAG_ARRAY, bytes));
  array.length = length;
  return array;
}

/** An array of two objects; their references go to the array. */
export function newPair(first: usize, second: usize): usize {
  const pair = newArray(2);
  pair.cell(0).setObject(first);
  pair.cell(1).setObject(second);
  return changetype<usize>(pair);
}

onDestroy(TAG_ARRAY, (object: usize): void => {
  const array = changetype<ArrayObject>(object);
  for (let i = 0; i < array.length; i++) {
    const cell = array.cell(i);
    if (cell.tag >= TAG_FIRST_OBJECT) release(cell.object);
  }
});
