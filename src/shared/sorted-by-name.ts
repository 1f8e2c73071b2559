import { compareTexts } from "./compare-texts.ts";

/** A copy sorted by name without regard to case, as Jinja's `dictsort` does. */
export function sortedByName<T>(all: Iterable<T>, nameOf: (one: T) => string): T[] {
  const named = Array.from(all, (one) => ({ one, name: nameOf(one).toLowerCase() }));
  return named.sort((a, b) => compareTexts(a.name, b.name)).map(({ one }) => one);
}
