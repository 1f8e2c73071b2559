/**
 * Calls of the browser's storage that always end. If the user or the browser clears the storage during one, Chromium 156
 * may never settle it, nor any later call of the same worker; a new worker's calls are answered.
 */

import { systemTimers, type Timers } from "../clock.ts";

/** How often a call that takes longer checks that the storage answers. */
const TICK_MS = 1_000;
/** A check that takes longer gets no answer at all; usually it takes a millisecond, even while the storage is busy. */
const SILENT_TICKS = 10;

/** A storage has not answered in time, or what a call uses is gone. */
export class StorageCleared extends DOMException {
  constructor() {
    super("The browser's storage was cleared.", "TimeoutError");
  }
}

type State = "here" | "gone" | "silent";

export class StorageWatch {
  readonly #timers: Timers;
  #isSilent = false;

  constructor(timers: Timers = systemTimers) {
    this.#timers = timers;
  }

  /** @throws {StorageCleared} if the storage answered nothing lately */
  throwIfSilent(): void {
    if (this.#isSilent) throw new StorageCleared();
  }

  /** For a call that is short. @throws {StorageCleared} if there is no answer */
  async answer<T>(call: () => Promise<T>): Promise<T> {
    this.throwIfSilent();
    let callOff = (): void => {};
    const silence = new Promise<never>((_, reject) => {
      // Ticks, since a suspended device makes none.
      const tick = (left: number): void => {
        callOff = this.#timers.after(TICK_MS, () => {
          if (left > 1) return tick(left - 1);
          this.#isSilent = true;
          reject(new StorageCleared());
        });
      };
      tick(SILENT_TICKS);
    });
    const answer = call();
    // Even if it comes late.
    const onAnswer = (): void => {
      callOff();
      this.#isSilent = false;
    };
    answer.then(onAnswer, onAnswer);
    return Promise.race([answer, silence]);
  }

  /**
   * For a call that may take long.
   *
   * @param isThere a short call that never rejects: whether what `call` uses still exists
   * @param onGone called once if it does not
   * @throws {StorageCleared} if the storage does not answer, or that is gone
   */
  async call<T>(
    call: () => Promise<T>,
    isThere: () => Promise<boolean>,
    onGone = (): void => {},
  ): Promise<T> {
    this.throwIfSilent();
    const look = (): Promise<State> =>
      this.answer(isThere).then(
        (is): State => (is ? "here" : "gone"),
        (): State => "silent",
      );
    return new Promise((resolve, reject) => {
      let isOver = false;
      const check = async (): Promise<void> => {
        const state = await look();
        if (isOver) return;
        if (state === "here") {
          callOff = this.#timers.after(TICK_MS, check);
          return;
        }
        isOver = true;
        if (state === "gone") onGone();
        reject(new StorageCleared());
      };
      let callOff = this.#timers.after(TICK_MS, check);
      call()
        .then(resolve, reject)
        .finally(() => {
          isOver = true;
          callOff();
        });
    });
  }
}
