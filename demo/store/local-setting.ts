/** A choice of the user that this browser keeps. Where storage is denied it holds until the page ends. */

import { effect, type Signal, signal } from "@preact/signals";

/** @param isValid holds what was stored against what can be chosen: others may have written it */
export function localSetting<T extends string>(
  name: string,
  initial: T,
  isValid: (value: string) => value is T,
): Signal<T> {
  const key = `infetch-console-${name}`;
  const chosen = signal<T>(initial);
  try {
    const stored = localStorage.getItem(key);
    if (stored !== null && isValid(stored)) chosen.value = stored;
  } catch {
    return chosen;
  }
  effect(() => {
    try {
      localStorage.setItem(key, chosen.value);
    } catch {
      // Full or denied: the choice holds for this page.
    }
  });
  return chosen;
}
