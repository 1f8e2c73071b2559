/** A small map from names to objects: the global functions and the tensor cache. */
import { release, retain, TAG_STRING } from "./objects";
import { newText, Span, TextObject } from "./text";

@unmanaged
class NameEntry {
  next: usize;
  name: TextObject;
  value: usize;
}

/**
 * A linked list: the longest has about a hundred entries and none is looked up while tokens are computed.
 */
@unmanaged
export class NameTable {
  first: usize;

  private entryOf(name: Span): usize {
    for (let at = this.first; at; at = changetype<NameEntry>(at).next) {
      const text = changetype<NameEntry>(at).name;
      if (name.equals(text.data, text.size)) return at;
    }
    return 0;
  }

  /** The object with this name, borrowed; 0 for none. */
  find(name: Span): usize {
    const at = this.entryOf(name);
    return at ? changetype<NameEntry>(at).value : 0;
  }

  /** Adds or replaces; the table takes a reference of its own. */
  set(name: Span, value: usize): void {
    retain(value);
    const existing = this.entryOf(name);
    if (existing) {
      const entry = changetype<NameEntry>(existing);
      release(entry.value);
      entry.value = value;
      return;
    }
    const entry = changetype<NameEntry>(heap.alloc(offsetof<NameEntry>()));
    entry.next = this.first;
    entry.name = newText(TAG_STRING, name.data, name.size);
    entry.value = value;
    this.first = changetype<usize>(entry);
  }

  remove(name: Span): void {
    const doomed = this.entryOf(name);
    if (!doomed) return;
    const after = changetype<NameEntry>(doomed).next;
    if (this.first == doomed) {
      this.first = after;
    } else {
      let before = this.first;
      while (changetype<NameEntry>(before).next != doomed) before = changetype<NameEntry>(before).next;
      changetype<NameEntry>(before).next = after;
    }
    NameTable.free(doomed);
  }

  clear(): void {
    while (this.first) {
      const doomed = this.first;
      this.first = changetype<NameEntry>(doomed).next;
      NameTable.free(doomed);
    }
  }

  private static free(at: usize): void {
    const entry = changetype<NameEntry>(at);
    release(entry.value);
    release(changetype<usize>(entry.name));
    heap.free(at);
  }
}
