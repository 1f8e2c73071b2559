/**
 * Reference-counted objects in raw linear memory. web-llm holds their addresses as handles and reads `tag`
 * itself; everything else in the header is ours. No AssemblyScript garbage collection takes part: what is
 * not released leaks, and `liveObjects` lets a test see it.
 */

/** Object tags of TVM's FFI; web-llm picks the JavaScript wrapper class by them. */
export const TAG_STRING: i32 = 65;
export const TAG_BYTES: i32 = 66;
export const TAG_FUNCTION: i32 = 68;
export const TAG_SHAPE: i32 = 69;
export const TAG_TENSOR: i32 = 70;
export const TAG_ARRAY: i32 = 71;
export const TAG_MODULE: i32 = 73;
/** Our own: any number above the built-in tags is an opaque object to web-llm. */
export const TAG_KV_CACHE: i32 = 200;
/** The first tag that means "the value is an object". */
export const TAG_FIRST_OBJECT: i32 = 64;
const TAG_LIMIT: i32 = 256;

/** The 24 bytes before every object's own fields. */
@unmanaged
export class ObjectHeader {
  references: u32;
  reserved0: u32;
  tag: i32;
  reserved1: u32;
  deleter: u64;
}

/** Number of objects not yet freed. */
export let liveObjects: i32 = 0;

/** A new object with all fields zero and one reference, which belongs to the caller. */
export function allocateObject(tag: i32, bytes: usize): usize {
  const address = heap.alloc(bytes);
  memory.fill(address, 0, bytes);
  const header = changetype<ObjectHeader>(address);
  header.references = 1;
  header.tag = tag;
  liveObjects++;
  return address;
}

@inline
export function tagOf(object: usize): i32 {
  return changetype<ObjectHeader>(object).tag;
}

/** Adds a reference and returns the object, so that it can be used in an assignment. */
@inline
export function retain(object: usize): usize {
  changetype<ObjectHeader>(object).references++;
  return object;
}

const destructors: usize = memory.data(<i32>TAG_LIMIT * 4);

/** Registers what must be released before an object of this tag is freed. */
export function onDestroy(tag: i32, destructor: (object: usize) => void): void {
  store<u32>(destructors + (<usize>tag << 2), destructor.index + 1);
}

/** Drops a reference; the last one destroys the object. Null is allowed. */
export function release(object: usize): void {
  if (!object) return;
  const header = changetype<ObjectHeader>(object);
  if (--header.references) return;
  const destructor = load<u32>(destructors + (<usize>header.tag << 2));
  if (destructor) call_indirect<void>(destructor - 1, object);
  liveObjects--;
  heap.free(object);
}
