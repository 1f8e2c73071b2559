/**
 * Calls of the browser's storage that always end. If the user or the browser clears the storage during one, Chromium 156
 * may never settle it, nor any later call of the same worker; a new worker's calls are answered.
 */

import { systemTimers, type Timers } from "../clock.ts";

/** How often a call that takes longer checks that the storage answers. */
const TICK_MS = 1_000;
/** A check that takes longer gets no answer at all; usually it takes a millisecond, even while the storage is busy. */
const SILENT_TICKS = 10;

/** What a call uses is gone, or the storage does not answer, as after it was cleared. */
export class StorageCleared extends DOMException {
  constructor() {
    super("The browser's storage was cleared, or does not answer.", "TimeoutError");
  }
}

/** Watches one storage: the caches or the databases of this worker. */
export class StorageWatch {
  readonly #timers: Timers;
  #isUnresponsive = false;

  constructor(timers: Timers = systemTimers) {
    this.#timers = timers;
  }

  /** @throws {StorageCleared} if a call has got no answer, until one comes */
  throwIfUnresponsive(): void {
    if (this.#isUnresponsive) throw new StorageCleared();
  }

  /**
   * @param call of any duration; called at once
   * @param isThere a short call that never rejects: whether what `call` uses still exists
   * @throws {StorageCleared} if it does not exist, or the storage does not answer
   */
  async call<T>(call: () => Promise<T>, isThere: () => Promise<boolean>): Promise<T> {
    this.throwIfUnresponsive();
    const result = call();
    let stop = (): void => {};
    const lost = new Promise<never>((_, reject) => {
      stop = this.#check(isThere, () => reject(new StorageCleared()));
    });
    const onResult = (): void => {
      stop();
      this.#isUnresponsive = false;
    };
    // An error may come without the storage: of a transaction that was aborted, for example.
    result.then(onResult, stop);
    return Promise.race([result, lost]);
  }

  /** Checks the storage at intervals until it is lost. @returns stops the checks */
  #check(isThere: () => Promise<boolean>, onLost: () => void): () => void {
    let isOver = false;
    let unanswered = 0;
    let cancelTick = (): void => {};
    const stop = (): void => {
      isOver = true;
      cancelTick();
    };
    const lose = (): void => {
      stop();
      onLost();
    };
    const ask = async (): Promise<void> => {
      const is = await isThere();
      unanswered = 0;
      this.#isUnresponsive = false;
      if (!is && !isOver) lose();
    };
    // Ticks, since a suspended device makes none.
    const tick = (): void => {
      if (unanswered === SILENT_TICKS) {
        this.#isUnresponsive = true;
        lose();
        return;
      }
      unanswered += 1;
      if (unanswered === 1) void ask();
      cancelTick = this.#timers.after(TICK_MS, tick);
    };
    cancelTick = this.#timers.after(TICK_MS, tick);
    return stop;
  }
}
