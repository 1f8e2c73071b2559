/** A user setting in local storage. If storage is denied, it lasts until the page closes. */

import { effect, type Signal, signal } from "@preact/signals";

interface SettingOptions {
  /** Follows changes that other tabs make. @default false */
  inEveryTab?: boolean;
}

/** @param isValid validates the stored value, which other scripts may have written */
export function localSetting<T extends string>(
  name: string,
  initial: T,
  isValid: (value: string) => value is T,
  { inEveryTab = false }: SettingOptions = {},
): Signal<T> {
  const key = `infetch-console-${name}`;
  const chosen = signal<T>(initial);
  // Not the value of an event: if several tabs wrote at once, each would write the others' value back, without end.
  const read = (): void => {
    const stored = localStorage.getItem(key);
    if (stored !== null && isValid(stored)) chosen.value = stored;
  };
  try {
    read();
  } catch {
    return chosen;
  }
  if (inEveryTab) {
    window.addEventListener("storage", ({ key: changed }) => {
      if (changed === key) read();
    });
  }
  effect(() => {
    try {
      localStorage.setItem(key, chosen.value);
    } catch {
      // Storage is full or denied: the setting lasts for this page only.
    }
  });
  return chosen;
}
