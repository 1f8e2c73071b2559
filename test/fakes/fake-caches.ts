/** In-memory `CacheStorage`, with the methods that the model store uses. */
export class FakeCaches {
  readonly #caches = new Map<string, FakeCache>();
  /** Error that every `put` throws, such as a full quota. */
  failure: Error | undefined;

  async open(name: string): Promise<Cache> {
    return this.of(name) as unknown as Cache;
  }

  async has(name: string): Promise<boolean> {
    return this.#caches.has(name);
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
    return this.entries.get(new URL(key).href)?.clone();
  }

  /** As in a browser, an entry is stored only after its body is complete, under its serialised address. */
  async put(key: string, response: Response): Promise<void> {
    const bytes = await response.arrayBuffer();
    if (this.#caches.failure) throw this.#caches.failure;
    this.entries.set(new URL(key).href, new Response(bytes, { headers: response.headers }));
  }

  async delete(key: string): Promise<boolean> {
    return this.entries.delete(new URL(key).href);
  }

  async keys(): Promise<{ url: string }[]> {
    return [...this.entries.keys()].map((url) => ({ url }));
  }
}
