/**
 * Keys and their usage, in IndexedDB. Every server of the origin reads them for each request, so that a revoked key
 * is refused at once in every tab and two tabs share one allowance. What cannot be stored is kept in memory, for
 * the lifetime of this server.
 */

import { newUsage } from "./admission.ts";
import type { KeyDatabase } from "./key-database.ts";
import { KeyError } from "./key-error.ts";
import { isValidKey, validUsage } from "./row-schemas.ts";
import type { KeyRow, UsageRow } from "./schema.ts";

export interface ListedKey {
  key: KeyRow;
  usage: UsageRow;
  isStored: boolean;
}

export class KeyStore {
  readonly #database: KeyDatabase;
  readonly #memoryKeys = new Map<string, KeyRow>();
  readonly #memoryUsage = new Map<string, UsageRow>();

  constructor(database: KeyDatabase) {
    this.#database = database;
  }

  /** @throws {KeyError} `keys_unavailable` for a key not in memory, if IndexedDB cannot be read */
  async find(accessKey: string): Promise<KeyRow | undefined> {
    const inMemory = this.#memoryKeys.get(accessKey);
    if (inMemory) return inMemory;
    const stored = await this.#database.read(["keys"], (all) => all.objectStore("keys").get(accessKey));
    return isValidKey(stored) ? stored : undefined;
  }

  /** All keys by creation time. Omits those in IndexedDB if it cannot be read. */
  async list(): Promise<ListedKey[]> {
    const stored = await this.#database
      .read(["keys", "usage"], async (all): Promise<ListedKey[]> => {
        const usage = new Map((await all.objectStore("usage").getAll()).map((row) => [row.access_key, row]));
        return (await all.objectStore("keys").getAll()).filter(isValidKey).map((key) => ({
          key,
          usage: validUsage(usage.get(key.access_key), key.access_key),
          isStored: true,
        }));
      })
      .catch(ifUnavailable((): ListedKey[] => []));
    const inMemory = [...this.#memoryKeys.values()].map((key) => ({
      key,
      usage: this.#usageInMemory(key.access_key),
      isStored: false,
    }));
    return [...stored, ...inMemory].sort((a, b) => a.key.created_ms - b.key.created_ms);
  }

  /** Adds a key. Returns false if it is only in memory. */
  async add(key: KeyRow): Promise<boolean> {
    const write = this.#database.write(
      ["keys"],
      async (all) => void (await all.objectStore("keys").put(key)),
    );
    return write
      .then(() => true)
      .catch(
        ifUnavailable(() => {
          this.#memoryKeys.set(key.access_key, key);
          return false;
        }),
      );
  }

  /**
   * Replaces a key with the result of `change`; undefined deletes it with its usage.
   *
   * @returns the previous key, or undefined if there is none
   * @throws {KeyError} `keys_unavailable`
   */
  async change(accessKey: string, change: (key: KeyRow) => KeyRow | undefined): Promise<KeyRow | undefined> {
    // From outside. IndexedDB throws for a value that cannot be a key, as if the database had failed.
    if (typeof accessKey !== "string") return undefined;
    const inMemory = this.#memoryKeys.get(accessKey);
    if (inMemory) {
      const next = change(inMemory);
      if (next) this.#memoryKeys.set(accessKey, next);
      else {
        this.#memoryKeys.delete(accessKey);
        this.#memoryUsage.delete(accessKey);
      }
      return inMemory;
    }
    return this.#database.write(["keys", "usage"], async (all) => {
      const key = await all.objectStore("keys").get(accessKey);
      if (!isValidKey(key)) return undefined;
      const next = change(key);
      if (next) await all.objectStore("keys").put(next);
      else {
        await all.objectStore("keys").delete(accessKey);
        await all.objectStore("usage").delete(accessKey);
      }
      return key;
    });
  }

  /**
   * Reads and changes a key's usage atomically across all tabs. If IndexedDB cannot be written, limits apply to
   * what this server remembers. Relaxed: a power cut may lose a few requests, a tab crash none.
   *
   * @returns the result of `change`, or undefined for a key that does not exist
   */
  async changeUsage<T>(
    accessKey: string,
    change: (usage: UsageRow) => { row: UsageRow; result: T },
  ): Promise<T | undefined> {
    if (this.#memoryKeys.has(accessKey)) return this.#changeInMemory(accessKey, change);
    const write = this.#database.write(
      ["keys", "usage"],
      async (all) => {
        if (!(await all.objectStore("keys").getKey(accessKey))) return undefined;
        const usage = all.objectStore("usage");
        const { row, result } = change(validUsage(await usage.get(accessKey), accessKey));
        await usage.put(row);
        return result;
      },
      "relaxed",
    );
    return write.catch(ifUnavailable(() => this.#changeInMemory(accessKey, change)));
  }

  #changeInMemory<T>(accessKey: string, change: (usage: UsageRow) => { row: UsageRow; result: T }): T {
    const { row, result } = change(this.#usageInMemory(accessKey));
    this.#memoryUsage.set(accessKey, row);
    return result;
  }

  #usageInMemory(accessKey: string): UsageRow {
    return this.#memoryUsage.get(accessKey) ?? newUsage(accessKey);
  }
}

/** Falls back to `instead` if IndexedDB failed; rethrows any other error. */
function ifUnavailable<T>(instead: () => T): (error: unknown) => T {
  return (error) => {
    if (error instanceof KeyError && error.code === "keys_unavailable") return instead();
    throw error;
  };
}
