/**
 * Detects dead peers. A terminated worker or killed tab sends no message, but the browser releases its Web Locks, so
 * a pending request for the peer's lock is granted.
 */

interface HoldOptions {
  /** Takes the lock from its holder, at once. */
  steal?: boolean;
  /** Another agent has stolen the lock. */
  onStolen?: () => void;
}

/**
 * Holds the lock until the agent dies or `signal` aborts. Resolves once the lock is held; rejects if the signal
 * aborts before.
 */
export function holdLock(
  name: string,
  signal?: AbortSignal,
  { steal = false, onStolen }: HoldOptions = {},
): Promise<void> {
  return new Promise((held, failed) => {
    navigator.locks
      .request(name, steal ? { steal } : signal ? { signal } : {}, () => {
        held();
        return new Promise<void>((release) => {
          if (signal?.aborted) release();
          else signal?.addEventListener("abort", () => release(), { once: true });
        });
      })
      .catch((error) => {
        failed(error);
        if (!signal?.aborted) onStolen?.();
      });
  });
}

/**
 * Calls `onDeath` once the lock's holder has died; `signal` stops the watch. Watchers share the lock, so a suspended one
 * keeps no other waiting.
 */
export function watchLock(name: string, onDeath: () => void, signal?: AbortSignal): void {
  navigator.locks
    .request(name, { mode: "shared", ...(signal && { signal }) }, () => onDeath())
    .catch(() => {
      // Aborted through the signal.
    });
}

/**
 * Resolves once all messages received so far are handled. Lock grants are not ordered with messages: a peer's last
 * message may be handled after its lock is granted.
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
