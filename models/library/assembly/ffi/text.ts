/** Strings and byte objects. web-llm decodes strings byte by byte (Latin-1), so ours are ASCII. */
import { allocateObject, ObjectHeader, TAG_STRING } from "./objects";

@unmanaged
export class TextObject extends ObjectHeader {
  data: usize;
  size: usize;
}

/** Copies bytes into a new string or byte object; a zero byte follows, so that `data` is a C string too. */
export function newText(tag: i32, data: usize, size: usize): TextObject {
  const text = allocateText(tag, size);
  memory.copy(text.data, data, size);
  return text;
}

/** A new string from a literal. Literals are UTF-16 in AssemblyScript; only ASCII ones are used here. */
export function newString(literal: string): TextObject {
  const size = literal.length;
  const text = allocateText(TAG_STRING, size);
  for (let i = 0; i < size; i++) store<u8>(text.data + i, <u8>literal.charCodeAt(i));
  return text;
}

function allocateText(tag: i32, size: usize): TextObject {
  const text = changetype<TextObject>(allocateObject(tag, offsetof<TextObject>() + size + 1));
  text.data = changetype<usize>(text) + offsetof<TextObject>();
  text.size = size;
  return text;
}

export function lengthOfCString(data: usize): usize {
  let size: usize = 0;
  while (load<u8>(data + size)) size++;
  return size;
}

/** A piece of text somewhere in memory: a view, not an object. */
@unmanaged
export class Span {
  data: usize;
  size: usize;

  equals(data: usize, size: usize): bool {
    return this.size == size && memory.compare(this.data, data, size) == 0;
  }

  equalsLiteral(literal: string): bool {
    if (this.size != <usize>literal.length) return false;
    for (let i = 0; i < literal.length; i++) {
      if (<i32>load<u8>(this.data + i) != literal.charCodeAt(i)) return false;
    }
    return true;
  }
}
