const TICK_MS = 1_000;

/** A timeout that does not pass while the device is suspended: it counts ticks and reads no clock. */
export class AwakeTimeout {
  readonly #timer: ReturnType<typeof setInterval>;
  #elapsedMs = 0;

  constructor(limitMs: number, onTimeout: () => void) {
    this.#timer = setInterval(() => {
      this.#elapsedMs += TICK_MS;
      if (this.#elapsedMs <= limitMs) return;
      this.clear();
      onTimeout();
    }, TICK_MS);
  }

  clear(): void {
    clearInterval(this.#timer);
  }
}

/** Settles like `promise`, or rejects with `late()` after `limitMs`. */
export function withinLimit<T>(promise: Promise<T>, limitMs: number, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timeout = new AwakeTimeout(limitMs, () => reject(late()));
    promise.then(resolve, reject).finally(() => timeout.clear());
  });
}
