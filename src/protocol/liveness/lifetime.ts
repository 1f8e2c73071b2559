/**
 * How long something lives that many calls depend on. Unlike a race of each call with one promise, which would keep
 * every result in memory until the end, a settled call leaves nothing behind.
 */
export class Lifetime {
  /** Why it ended; undefined while it lasts. */
  #error: Error | undefined;
  readonly #pending = new Set<(error: Error) => void>();

  /** Whether a call is pending. */
  get isAwaited(): boolean {
    return this.#pending.size > 0;
  }

  /** Rejects pending and later calls with `error`; only the first end counts. */
  end(error: Error): void {
    this.#error ??= error;
    for (const reject of this.#pending) reject(this.#error);
    this.#pending.clear();
  }

  /** Settles like `call`, or rejects with the error of the end if that comes first. */
  within<T>(call: T): Promise<Awaited<T>> {
    return new Promise((resolve, reject) => {
      if (this.#error) return reject(this.#error);
      this.#pending.add(reject);
      Promise.resolve(call)
        .finally(() => this.#pending.delete(reject))
        .then(resolve, reject);
    });
  }
}
