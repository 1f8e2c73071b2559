/** A promise and the two ends that settle it (`Promise.withResolvers`, which Node 20 has not). */
export interface Deferred<T> {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (error: unknown) => void;
}

/** A rejection that nobody waits for yet is not reported as unhandled. */
export function deferred<T>(): Deferred<T> {
  const result = {} as Deferred<T>;
  result.promise = new Promise<T>((resolve, reject) => {
    result.resolve = resolve;
    result.reject = reject;
  });
  result.promise.catch(() => {});
  return result;
}
