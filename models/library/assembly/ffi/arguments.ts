/**
 * Checked access to arguments: each reader returns 0 after composing an error when the argument is not what
 * it must be.
 */
import { TAG_ARRAY, TAG_KV_CACHE, TAG_SHAPE, TAG_TENSOR } from "./objects";
import { Cell } from "./values";
import { fail, say, sayNumber } from "./errors";
import { ArrayObject, ShapeObject } from "./containers";
import { Span } from "./text";

/** The object in argument `index`, which must carry `tag`; `kind` names it in the message. */
export function objectArgument(args: Cell, index: i32, tag: i32, kind: string): usize {
  const cell = args.at(index);
  if (cell.tag == tag) return cell.object;
  fail("argument ");
  sayNumber(index + 1);
  say(" must be a ");
  say(kind);
  say(", got a value with tag ");
  sayNumber(cell.tag);
  return 0;
}

export function tensorArgument(args: Cell, index: i32): usize {
  return objectArgument(args, index, TAG_TENSOR, "tensor");
}

export function arrayArgument(args: Cell, index: i32): ArrayObject | null {
  return changetype<ArrayObject | null>(objectArgument(args, index, TAG_ARRAY, "array"));
}

export function shapeArgument(args: Cell, index: i32): ShapeObject | null {
  return changetype<ShapeObject | null>(objectArgument(args, index, TAG_SHAPE, "shape"));
}

export function kvCacheArgument(args: Cell, index: i32): usize {
  return objectArgument(args, index, TAG_KV_CACHE, "KV cache");
}

/** Points `span` at the text in argument `index`; false after an error. */
export function textArgument(args: Cell, index: i32, span: Span): bool {
  if (args.at(index).readText(span)) return true;
  fail("argument ");
  sayNumber(index + 1);
  say(" must be text, got a value with tag ");
  sayNumber(args.at(index).tag);
  return false;
}
