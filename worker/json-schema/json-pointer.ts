/** JSON pointers in URI fragments, such as `#/$defs/Zip` (RFC 6901, section 6). */

/** The part of a JSON document that a pointer such as `#/$defs/Zip` names; undefined if there is none. */
export function atPointer(document: unknown, pointer: string): unknown {
  let target = document;
  for (const part of pointerPath(pointer)) {
    if (typeof target !== "object" || target === null || !Object.hasOwn(target, part)) return undefined;
    target = (target as Record<string, unknown>)[part];
  }
  return target;
}

export function pointerPath(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => {
      try {
        return decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
      } catch {
        return part;
      }
    });
}
