/** References within a schema: JSON pointers in URI fragments, such as `#/$defs/Zip` (RFC 6901, section 6), and names. */

/** The part of a schema that a reference names, by a pointer, an anchor or an `$id`; undefined if there is none. */
export function referenced(document: unknown, reference: string): unknown {
  const [base = "", fragment = ""] = reference.split(/#(.*)/s, 2);
  const part = base === "" ? document : namesOf(document).get(base);
  if (fragment === "") return part;
  return fragment.startsWith("/") ? atPointer(part, fragment) : namesOf(document).get(`#${fragment}`);
}

const known = new WeakMap<object, ReadonlyMap<string, object>>();

/** Parts of a schema by their `$id`, or `#` and their anchor. */
function namesOf(document: unknown): ReadonlyMap<string, object> {
  if (typeof document !== "object" || document === null) return new Map();
  const found = known.get(document);
  if (found) return found;
  const names = new Map<string, object>();
  const parts: object[] = [document];
  for (let part = parts.pop(); part; part = parts.pop()) {
    const { $id, id, $anchor } = part as Record<string, unknown>;
    const anchor = typeof $anchor === "string" ? `#${$anchor}` : undefined;
    for (const name of [$id, id, anchor])
      if (typeof name === "string") names.set(name.replace(/#$/, ""), part);
    for (const inner of Object.values(part))
      if (typeof inner === "object" && inner !== null) parts.push(inner);
  }
  known.set(document, names);
  return names;
}

/** The part of a JSON document that a pointer such as `#/$defs/Zip` names; undefined if there is none. */
function atPointer(document: unknown, pointer: string): unknown {
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
