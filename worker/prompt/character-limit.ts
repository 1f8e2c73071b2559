/** A limit on the characters that several maps keep together. Beyond it, the oldest entries are dropped. */
export class CharacterLimit {
  readonly #max: number;
  /** From the oldest to the newest. */
  readonly #entries = new Set<Entry>();
  #characters = 0;

  constructor(max: number) {
    this.#max = max;
  }

  add(entry: Entry): void {
    this.#entries.add(entry);
    this.#characters += entry.characters;
    for (const oldest of this.#entries) {
      if (this.#characters <= this.#max) return;
      oldest.drop();
    }
  }

  remove(entry: Entry): void {
    if (this.#entries.delete(entry)) this.#characters -= entry.characters;
  }

  /** Whether an entry of this size can be kept at all. */
  allows(characters: number): boolean {
    return characters <= this.#max;
  }
}

interface Entry {
  characters: number;
  drop(): void;
}

/** A map without its oldest entries, beyond a number of them, and beyond a limit that it shares with others. */
export class LimitedMap<T> {
  readonly #capacity: number;
  readonly #limit: CharacterLimit;
  readonly #kept = new Map<string, { value: T; entry: Entry }>();

  constructor(capacity: number, limit: CharacterLimit) {
    this.#capacity = capacity;
    this.#limit = limit;
  }

  get(key: string): T | undefined {
    return this.#kept.get(key)?.value;
  }

  *entries(): Iterable<[key: string, value: T]> {
    for (const [key, { value }] of this.#kept) yield [key, value];
  }

  /** @param characters of key and value; what alone is above the limit is not kept */
  set(key: string, value: T, characters: number): void {
    this.delete(key);
    if (!this.#limit.allows(characters)) return;
    const entry = { characters, drop: () => this.delete(key) };
    this.#kept.set(key, { value, entry });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > this.#capacity && oldest !== undefined) this.delete(oldest);
    this.#limit.add(entry);
  }

  delete(key: string): void {
    const kept = this.#kept.get(key);
    if (!kept) return;
    this.#kept.delete(key);
    this.#limit.remove(kept.entry);
  }

  clear(): void {
    for (const key of [...this.#kept.keys()]) this.delete(key);
  }
}
