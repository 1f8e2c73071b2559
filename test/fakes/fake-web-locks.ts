/** Web Locks of one origin: exclusive and shared, in the order of the requests, as in browsers. */

interface Waiting {
  mode: LockMode;
  grant: () => void;
}

export class FakeWebLocks {
  readonly #held = new Map<string, LockMode[]>();
  readonly #waiting = new Map<string, Waiting[]>();

  async request<T>(
    name: string,
    options: LockOptions | LockGrantedCallback<T>,
    work?: LockGrantedCallback<T>,
  ): Promise<T> {
    if (typeof options === "function") return this.request(name, {}, options);
    const { mode = "exclusive", ifAvailable = false, signal } = options;
    signal?.throwIfAborted();
    if (!this.#isFree(name, mode)) {
      if (ifAvailable) return (await work!(null)) as T;
      await this.#turn(name, mode, signal);
    } else this.#hold(name, mode);
    try {
      return (await work!({ name, mode })) as T;
    } finally {
      const held = this.#held.get(name)!;
      held.splice(held.indexOf(mode), 1);
      this.#next(name);
    }
  }

  async query(): Promise<LockManagerSnapshot> {
    const held = [...this.#held].flatMap(([name, modes]) => modes.map((mode) => ({ name, mode })));
    const pending = [...this.#waiting].flatMap(([name, all]) => all.map(({ mode }) => ({ name, mode })));
    return { held, pending };
  }

  #isFree(name: string, mode: LockMode): boolean {
    return !this.#waiting.get(name)?.length && this.#fits(name, mode);
  }

  #fits(name: string, mode: LockMode): boolean {
    const held = this.#held.get(name) ?? [];
    return held.length === 0 || (mode === "shared" && held.every((one) => one === "shared"));
  }

  #hold(name: string, mode: LockMode): void {
    this.#held.set(name, [...(this.#held.get(name) ?? []), mode]);
  }

  #turn(name: string, mode: LockMode, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { mode, grant: resolve };
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
    while (waiting.length > 0 && this.#fits(name, waiting[0]!.mode)) {
      const { mode, grant } = waiting.shift()!;
      this.#hold(name, mode);
      grant();
    }
  }
}
