/**
 * Knowing that a peer died. A terminated worker or a killed tab sends no message, but the browser releases
 * its Web Locks: whoever waits for the peer's lock is granted it at that moment.
 */

/**
 * Holds the lock until the agent dies or `signal` aborts. Resolves once the lock is held; a signal that aborts
 * before gives up waiting for it, and rejects.
 */
export function holdLock(name: string, signal?: AbortSignal): Promise<void> {
  return new Promise((held, failed) => {
    navigator.locks
      .request(name, signal ? { signal } : {}, () => {
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

/**
 * Resolves once the messages that have reached this agent are handled. A lock is granted on another way than
 * messages come: what a peer said before it died may be handled after its death is known.
 */
export async function messagesHandled(): Promise<void> {
  for (let hop = 0; hop < 2; hop++) {
    await new Promise<void>((arrived) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        arrived();
      };
      port2.postMessage(null);
    });
  }
}
