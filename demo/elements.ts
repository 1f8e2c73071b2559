/** The elements of the page, by what they are for. */

/** @throws when the page has no such element: the markup and the code do not fit together */
export function element<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`index.html has no <${kind.name}> with the id "${id}".`);
}

/** Makes an element. Text goes in as text: what models and people write is never markup. */
export function create<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  text = "",
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}
