import type { RuntimeEvent } from "./protocol/wire.ts";

type Listener = (event: RuntimeEvent) => void;

/** Listeners of `runtime.on()`. Adding a function twice makes two subscriptions. */
export class Listeners {
  readonly #byType = new Map<string, Set<{ listener: Listener }>>();

  /** Returns a function that ends the subscription. */
  add(type: string, listener: Listener): () => void {
    const ofType = this.#byType.get(type) ?? new Set();
    const one = { listener };
    this.#byType.set(type, ofType.add(one));
    return () => void ofType.delete(one);
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
