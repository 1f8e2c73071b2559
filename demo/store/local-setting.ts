/** A user setting in local storage. If storage is denied, it lasts until the page closes. */

import { effect, type Signal, signal } from "@preact/signals";

interface SettingOptions {
  /** Follows changes that other tabs make. @default false */
  inEveryTab?: boolean;
}

/** @param values the allowed ones: other scripts may have written another one */
export function localSetting<T extends string>(
  name: string,
  initial: T,
  values: readonly T[],
  { inEveryTab = false }: SettingOptions = {},
): Signal<T> {
  const key = `infetch-console-${name}`;
  const chosen = signal<T>(initial);
  // Not the value of an event: if several tabs wrote at once, each would write the others' value back, without end.
  const read = (): void => {
    const stored = localStorage.getItem(key);
    chosen.value = values.find((value) => value === stored) ?? chosen.value;
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
