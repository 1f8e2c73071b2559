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
