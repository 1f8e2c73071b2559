import type { RuntimeEvent } from "./protocol/events.ts";

type Listener = (event: RuntimeEvent) => void;

/** @throws {TypeError} that names the value */
export function requireFunction(name: string, value: unknown): void {
  if (typeof value !== "function") throw new TypeError(`${name} must be a function.`);
}

/** Listeners of `runtime.on()`. Adding a function twice makes two subscriptions. */
export class Listeners {
  readonly #byType = new Map<string, Set<{ listener: Listener }>>();
  readonly #onChange: (type: string) => void;

  /** @param onChange called when listeners of a type were added or removed */
  constructor(onChange: (type: string) => void = () => {}) {
    this.#onChange = onChange;
  }

  /**
   * Returns a function that ends the subscription.
   *
   * @throws {TypeError} for a listener that is no function: it would fail at every event
   */
  add(type: string, listener: Listener): () => void {
    requireFunction("The listener", listener);
    const ofType = this.#byType.get(type) ?? new Set();
    const one = { listener };
    this.#byType.set(type, ofType.add(one));
    this.#onChange(type);
    return () => {
      ofType.delete(one);
      this.#onChange(type);
    };
  }

  has(type: string): boolean {
    return (this.#byType.get(type)?.size ?? 0) > 0;
  }

  /** As in an EventTarget: listeners added during an event start with the next one; an error does not stop the others. */
  readonly dispatch = (event: RuntimeEvent): void => {
    const ofType = this.#byType.get(event.type) ?? new Set();
    for (const one of [...ofType]) {
      if (!ofType.has(one)) continue;
      try {
        one.listener(event);
      } catch (error) {
        reportError(error);
      }
    }
  };
}
