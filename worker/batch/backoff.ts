import type { Timers } from "../clock.ts";

/** The first pause; each is twice the one before. */
const MIN_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 900_000;

/** Tries something again after a pause, which grows until it is reset. */
export class Backoff {
  readonly #timers: Timers;
  readonly #retry: () => void;
  #pauseMs = MIN_PAUSE_MS;
  /** Set while a pause lasts. */
  #cancel: (() => void) | undefined;

  constructor(timers: Timers, retry: () => void) {
    this.#timers = timers;
    this.#retry = retry;
  }

  /** Begins a pause, unless one lasts. */
  pause(): void {
    if (this.#cancel) return;
    this.#cancel = this.#timers.after(this.#pauseMs, () => {
      this.#cancel = undefined;
      this.#retry();
    });
    this.#pauseMs = Math.min(2 * this.#pauseMs, MAX_PAUSE_MS);
  }

  /** Ends a pause without a retry; the next one is short. */
  reset(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#pauseMs = MIN_PAUSE_MS;
  }
}
