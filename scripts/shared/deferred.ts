/** A promise with its resolve and reject functions (`Promise.withResolvers`, which Node 20 lacks). */
interface Deferred<T> {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (error: unknown) => void;
}

/** A rejection without a handler is not reported as unhandled. */
export function deferred<T>(): Deferred<T> {
  const result = {} as Deferred<T>;
  result.promise = new Promise<T>((resolve, reject) => {
    result.resolve = resolve;
    result.reject = reject;
  });
  result.promise.catch(() => {});
  return result;
}
