import { EngineError } from "./engine-error.ts";

/** Background work runs when nobody else waits. It is bounded by whoever sends it, so it fills no queue. */
export type Priority = "interactive" | "background";

interface Waiting {
  start: () => void;
  priority: Priority;
}

/** The right to use the engine; give it back exactly once. */
export interface Turn {
  release(): void;
}

/**
 * First come, first served, one at a time: web-llm is never handed a second request (engines.md F1). Whoever is
 * interactive overtakes all background work that waits. Leaving the queue costs nothing.
 */
export class ModelQueue {
  readonly #waiting: Waiting[] = [];
  readonly #limit: number;
  #busy = false;

  /** @param limit how many interactive ones may wait beside the one that runs */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Waits for its turn.
   *
   * @throws {EngineError} `queue_full`
   * @throws the signal's reason, when it aborts first
   */
  async enter(signal: AbortSignal, priority: Priority = "interactive"): Promise<Turn> {
    signal.throwIfAborted();
    if (this.#busy) {
      if (priority === "interactive" && this.#count(priority) >= this.#limit) {
        throw new EngineError(
          "queue_full",
          `${this.#limit} requests are waiting for this model already. Try again in a moment.`,
        );
      }
      await this.#wait(signal, priority);
    }
    this.#busy = true;
    let held = true;
    return {
      release: () => {
        if (!held) return;
        held = false;
        this.#next();
      },
    };
  }

  #wait(signal: AbortSignal, priority: Priority): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(entry), 1);
        reject(signal.reason);
      };
      const entry: Waiting = {
        priority,
        start: () => {
          signal.removeEventListener("abort", onAbort);
          resolve();
        },
      };
      const place = priority === "interactive" ? this.#count(priority) : this.#waiting.length;
      this.#waiting.splice(place, 0, entry);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  #count(priority: Priority): number {
    return this.#waiting.filter((one) => one.priority === priority).length;
  }

  /** Hands the turn over without a gap in which a newcomer could slip in. */
  #next(): void {
    const next = this.#waiting.shift();
    if (next) next.start();
    else this.#busy = false;
  }
}
