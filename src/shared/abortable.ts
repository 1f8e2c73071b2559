/** A signal that never aborts. */
export const NEVER = new AbortController().signal;

/** Settles like `promise`, or rejects with the signal's reason if it aborts first; shared work is not cancelled. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    // Also after an abort: otherwise a later failure would be an unhandled rejection.
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
