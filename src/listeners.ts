import type { RuntimeEvent } from "./protocol/wire.ts";

type Listener = (event: RuntimeEvent) => void;

/** What `runtime.on()` was given. Each subscription is one of its own, also of the same function. */
export class Listeners {
  readonly #byType = new Map<string, Set<{ tell: Listener }>>();

  /** Returns what ends the subscription. */
  add(type: string, tell: Listener): () => void {
    const ofType = this.#byType.get(type) ?? new Set();
    const one = { tell };
    this.#byType.set(type, ofType.add(one));
    return () => void ofType.delete(one);
  }

  has(type: string): boolean {
    return (this.#byType.get(type)?.size ?? 0) > 0;
  }

  /** As an EventTarget: listeners added meanwhile wait for the next event, and one that throws keeps none from it. */
  readonly tell = (event: RuntimeEvent): void => {
    const ofType = this.#byType.get(event.type) ?? new Set();
    for (const one of [...ofType]) {
      if (!ofType.has(one)) continue;
      try {
        one.tell(event);
      } catch (error) {
        reportError(error);
      }
    }
  };
}
