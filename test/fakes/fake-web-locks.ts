/** Web Locks of one origin: exclusive and shared, in the order of the requests, as in browsers. */

interface Held {
  mode: LockMode;
  /** Rejects the holder's request. */
  lose: () => void;
}

interface Waiting {
  own: Held;
  grant: () => void;
}

export class FakeWebLocks {
  readonly #held = new Map<string, Held[]>();
  readonly #waiting = new Map<string, Waiting[]>();

  async request<T>(
    name: string,
    options: LockOptions | LockGrantedCallback<T>,
    work?: LockGrantedCallback<T>,
  ): Promise<T> {
    if (typeof options === "function") return this.request(name, {}, options);
    const { mode = "exclusive", ifAvailable = false, steal = false, signal } = options;
    signal?.throwIfAborted();
    if (steal) for (const one of this.#held.get(name)?.splice(0) ?? []) one.lose();
    const own: Held = { mode, lose: () => {} };
    const lost = new Promise<never>((_, reject) => {
      own.lose = () => reject(new DOMException("The lock was stolen.", "AbortError"));
    });
    lost.catch(() => {});
    if (!steal && !this.#isFree(name, mode)) {
      if (ifAvailable) return (await work!(null)) as T;
      await this.#turn(name, own, signal);
    } else this.#hold(name, own);
    try {
      return (await Promise.race([work!({ name, mode }), lost])) as T;
    } finally {
      const held = this.#held.get(name)!;
      if (held.includes(own)) held.splice(held.indexOf(own), 1);
      this.#next(name);
    }
  }

  async query(): Promise<LockManagerSnapshot> {
    const held = [...this.#held].flatMap(([name, all]) => all.map(({ mode }) => ({ name, mode })));
    const pending = [...this.#waiting].flatMap(([name, all]) =>
      all.map(({ own }) => ({ name, mode: own.mode })),
    );
    return { held, pending };
  }

  #isFree(name: string, mode: LockMode): boolean {
    return !this.#waiting.get(name)?.length && this.#fits(name, mode);
  }

  #fits(name: string, mode: LockMode): boolean {
    const held = this.#held.get(name) ?? [];
    return held.length === 0 || (mode === "shared" && held.every((one) => one.mode === "shared"));
  }

  #hold(name: string, own: Held): void {
    this.#held.set(name, [...(this.#held.get(name) ?? []), own]);
  }

  #turn(name: string, own: Held, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { own, grant: resolve };
      this.#waiting.set(name, [...(this.#waiting.get(name) ?? []), waiting]);
      signal?.addEventListener("abort", () => {
        const left = (this.#waiting.get(name) ?? []).filter((one) => one !== waiting);
        this.#waiting.set(name, left);
        reject(signal.reason);
      });
    });
  }

  #next(name: string): void {
    const waiting = this.#waiting.get(name) ?? [];
    while (waiting.length > 0 && this.#fits(name, waiting[0]!.own.mode)) {
      const { own, grant } = waiting.shift()!;
      this.#hold(name, own);
      grant();
    }
  }
}
