/** The global functions: ours, which web-llm looks up by name, and the ones it registers for us to call. */
import { release } from "./objects";
import { newString, Span, TextObject } from "./text";
import { Body, newNativeFunction } from "./functions";
import { fail, OK, sayBytes } from "./errors";
import { NameTable } from "./name-table";

const table = changetype<NameTable>(memory.data(4, 4));

/** The function with this name, borrowed; 0 for none. */
export function findGlobal(name: Span): usize {
  return table.find(name);
}

export function findGlobalByLiteral(literal: string): usize {
  const text = newString(literal);
  const found = table.find(spanOf(text));
  release(changetype<usize>(text));
  return found;
}

export function setGlobal(name: Span, callee: usize, replace: bool): i32 {
  if (!replace && table.find(name)) {
    fail("a global function with this name exists already: ");
    return sayBytes(name.data, name.size);
  }
  table.set(name, callee);
  return OK;
}

/** Publishes a native function that takes at least `arity` arguments. */
export function defineGlobal(literal: string, arity: i32, body: Body): void {
  const text = newString(literal);
  const callee = newNativeFunction(literal, arity, body, 0);
  table.set(spanOf(text), callee);
  release(callee);
  release(changetype<usize>(text));
}

/** The `data` and `size` fields of a text object are a span themselves. */
@inline
function spanOf(text: TextObject): Span {
  return changetype<Span>(changetype<usize>(text) + offsetof<TextObject>("data"));
}
