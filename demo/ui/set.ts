import type { Signal } from "@preact/signals";

/** What a field calls with its new value, for a value that is kept as it is. */
export function set<T>(signal: Signal<T>): (value: T) => void {
  return (value) => {
    signal.value = value;
  };
}
