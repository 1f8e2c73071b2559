/** The browser's caches, in memory: enough of them for what keeps files of models. */
export class FakeCaches {
  readonly #caches = new Map<string, FakeCache>();
  /** What every `put` throws, for a browser that is full. */
  failure: Error | undefined;

  async open(name: string): Promise<Cache> {
    return this.of(name) as unknown as Cache;
  }

  of(name: string): FakeCache {
    let cache = this.#caches.get(name);
    if (!cache) {
      cache = new FakeCache(this);
      this.#caches.set(name, cache);
    }
    return cache;
  }
}

export class FakeCache {
  readonly entries = new Map<string, Response>();
  readonly #caches: FakeCaches;

  constructor(caches: FakeCaches) {
    this.#caches = caches;
  }

  async match(key: string): Promise<Response | undefined> {
    return this.entries.get(key)?.clone();
  }

  /** As in a browser, nothing is stored before all of it is there. */
  async put(key: string, response: Response): Promise<void> {
    const bytes = await response.arrayBuffer();
    if (this.#caches.failure) throw this.#caches.failure;
    this.entries.set(key, new Response(bytes, { headers: response.headers }));
  }

  async delete(key: string): Promise<boolean> {
    return this.entries.delete(key);
  }

  async keys(): Promise<{ url: string }[]> {
    return [...this.entries.keys()].map((url) => ({ url }));
  }
}
