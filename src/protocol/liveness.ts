/**
 * Knowing that a peer died. A terminated worker or a killed tab sends no message, but the browser releases
 * its Web Locks: whoever waits for the peer's lock is granted it at that moment.
 */

/** Holds the lock until the agent dies or `signal` aborts. Resolves once the lock is held. */
export function holdLock(name: string, signal?: AbortSignal): Promise<void> {
  return new Promise((held, failed) => {
    navigator.locks
      .request(name, () => {
        held();
        return new Promise<void>((release) => {
          if (signal?.aborted) release();
          else signal?.addEventListener("abort", () => release(), { once: true });
        });
      })
      .catch(failed);
  });
}

/** Calls `onDeath` once the peer that holds the lock is gone; `signal` ends the watch. */
export function watchLock(name: string, onDeath: () => void, signal?: AbortSignal): void {
  navigator.locks
    .request(name, signal ? { signal } : {}, () => onDeath())
    .catch(() => {
      // The watch was ended by its owner: nothing to report.
    });
}
