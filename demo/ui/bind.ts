import type { Signal } from "@preact/signals";

interface Bound<T> {
  value: T;
  onChange: (value: T) => void;
}

/** Binds a form field to a signal: the field shows its value and stores changes in it. */
export function bind<T>(signal: Signal<T>): Bound<T> {
  return {
    value: signal.value,
    onChange: (value) => {
      signal.value = value;
    },
  };
}
