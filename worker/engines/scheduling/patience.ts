const TICK_MS = 1_000;

/** Ends a wait in which nothing moves. It counts ticks and reads no clock, since a suspended device makes no ticks. */
export class Patience {
  readonly #timer: ReturnType<typeof setInterval>;
  #silentMs = 0;

  constructor(limitMs: number, onEnd: () => void) {
    this.#timer = setInterval(() => {
      this.#silentMs += TICK_MS;
      if (this.#silentMs <= limitMs) return;
      this.end();
      onEnd();
    }, TICK_MS);
  }

  end(): void {
    clearInterval(this.#timer);
  }
}
