/** A worker's single connection to a database: opened on first use, reopened after it is lost. */

import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB, type StoreNames } from "idb";
import { StorageCleared, StorageWatch } from "./storage-watch.ts";
import { abort, complete, type Progress, type Work } from "./transaction.ts";

/**
 * Advice that ends every error message about missing, denied or failed IndexedDB. A page of Safari whose connection is
 * lost gets no other one until it is reloaded.
 */
export const STORAGE_REMEDY =
  "Try again; if it fails again, reload the page and allow this site to store data in the browser.";

/** Step `n` migrates version `n` to `n + 1`. Append only. */
export type Migration<Schema extends DBSchema> = (
  transaction: IDBPTransaction<Schema, StoreNames<Schema>[], "versionchange">,
) => void;

interface DatabaseOptions<Schema extends DBSchema> {
  name: string;
  migrations: readonly Migration<Schema>[];
  /** Runs in one transaction over all stores after every open, before anything else is read or written. */
  onOpen?: Work<Schema, void>;
  /** How long an open may take before calls fail with `blocked`. @default 5,000 */
  openLimitMs?: number;
  /** Errors for the two ways in which IndexedDB fails. */
  errors: { unavailable(cause: unknown): Error; blocked(): Error };
}

/**
 * Errors of a connection that the browser has closed: because the database was deleted, evicted or upgraded, or because
 * its process ended, as Safari's does under memory pressure ("Connection to Indexed Database server lost").
 */
const LOST = new Set(["AbortError", "InvalidStateError", "UnknownError"]);

/** Shared by all databases of this worker. */
const watch = new StorageWatch();

/**
 * How many checks a transaction may wait for those of other tabs, while none of this worker runs. A tab that the browser
 * suspends in a transaction, as phones do in the background, keeps it open.
 */
const MAX_WAITS = 30;

/** `true` as soon as IndexedDB answers at all; it does so while a transaction is long. */
const answers = async (): Promise<boolean> => {
  await indexedDB.databases?.().catch(() => {});
  return true;
};

export class Database<Schema extends DBSchema> {
  readonly name: string;
  readonly #options: DatabaseOptions<Schema>;
  #opening: Promise<IDBPDatabase<Schema>> | undefined;
  #current: IDBPDatabase<Schema> | undefined;
  #isLate = false;
  /** Transactions that no longer wait for others. */
  readonly #begun = new Set<Progress<Schema>>();

  constructor(options: DatabaseOptions<Schema>) {
    this.#options = options;
    this.name = options.name;
  }

  /**
   * Runs `work` in one read-only transaction: one consistent state.
   *
   * @throws the options' `unavailable` or `blocked`
   */
  read<T>(stores: readonly StoreNames<Schema>[], work: Work<Schema, T>): Promise<T> {
    return this.#run(stores, "readonly", "default", work);
  }

  /**
   * Runs `work` in one transaction that commits as a whole or not at all. Await only IndexedDB promises in it:
   * anything else ends the transaction early. If the browser closes the connection before the commit, `work` runs
   * again on a new one.
   *
   * @throws the options' `unavailable` or `blocked`; any error from `work`, after rollback
   */
  write<T>(
    stores: readonly StoreNames<Schema>[],
    work: Work<Schema, T>,
    durability: IDBTransactionDurability = "strict",
  ): Promise<T> {
    return this.#run(stores, "readwrite", durability, work);
  }

  /** Closes the connection; the next use opens it again. */
  async close(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    this.#current = undefined;
    (await opening?.catch(() => undefined))?.close();
  }

  async #run<T>(
    stores: readonly StoreNames<Schema>[],
    mode: "readonly" | "readwrite",
    durability: IDBTransactionDurability,
    work: Work<Schema, T>,
  ): Promise<T> {
    for (let isRetry = false; ; isRetry = true) {
      const progress: Progress<Schema> = { isCommitting: false, onBegin: () => this.#begun.add(progress) };
      let waits = 0;
      const isFree = async (): Promise<boolean> => {
        await answers();
        waits = this.#begun.size > 0 ? 0 : waits + 1;
        return waits < MAX_WAITS;
      };
      let connection: IDBPDatabase<Schema> | undefined;
      try {
        watch.throwIfUnresponsive();
        connection = await this.#connect();
        watch.throwIfUnresponsive();
        const transaction = connection.transaction([...stores], mode as "readwrite", { durability });
        progress.transaction = transaction;
        return await watch.call(() => complete(transaction, work, progress), isFree);
      } catch (error) {
        if (!(error instanceof DOMException)) throw error;
        if (error instanceof StorageCleared) {
          // What fails is not stored after all, if IndexedDB should answer again.
          if (!progress.isCommitting) abort(progress.transaction);
          connection?.close();
          this.#forget(connection);
          if (waits === MAX_WAITS) throw this.#options.errors.blocked();
        }
        // Once a commit was requested, it is unknown whether the changes are stored.
        const mayRepeat = mode === "readonly" || !progress.isCommitting;
        if (isRetry || !mayRepeat || !LOST.has(error.name)) throw this.#options.errors.unavailable(error);
        connection?.close();
        this.#forget(connection);
      } finally {
        this.#begun.delete(progress);
      }
    }
  }

  #connect(): Promise<IDBPDatabase<Schema>> {
    // While an open hangs, further calls fail at once.
    if (this.#isLate) return Promise.reject(this.#options.errors.blocked());
    const opening = this.#opening ?? this.#open();
    this.#opening = opening;
    // A failed open is not cached: the next use retries.
    opening.catch(() => {
      if (this.#opening === opening) this.#opening = undefined;
    });
    const limitMs = this.#options.openLimitMs ?? 5_000;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#isLate = true;
        reject(this.#options.errors.blocked());
      }, limitMs);
      opening.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }

  async #open(): Promise<IDBPDatabase<Schema>> {
    const { onOpen, errors } = this.#options;
    const opening = this.#openConnection();
    try {
      const connection = await watch.call(() => opening, answers);
      if (onOpen) {
        const stores = [...connection.objectStoreNames];
        const transaction = connection.transaction(stores, "readwrite", { durability: "strict" });
        await watch.call(() => complete(transaction, onOpen), answers);
      }
      this.#current = connection;
      return connection;
    } catch (error) {
      // Even if it opens late.
      opening.then(
        (connection) => connection.close(),
        () => {},
      );
      throw errors.unavailable(error);
    } finally {
      this.#isLate = false;
    }
  }

  async #openConnection(): Promise<IDBPDatabase<Schema>> {
    const { migrations } = this.#options;
    let connection: IDBPDatabase<Schema> | undefined;
    connection = await openDB<Schema>(this.name, migrations.length, {
      upgrade(_database, oldVersion, _newVersion, transaction) {
        for (const migrate of migrations.slice(oldVersion)) migrate(transaction as never);
      },
      // Another tab is upgrading or deleting the database: do not block it.
      blocking: () => {
        connection?.close();
        this.#forget(connection);
      },
      terminated: () => this.#forget(connection),
    });
    return connection;
  }

  #forget(connection: IDBPDatabase<Schema> | undefined): void {
    if (!connection || connection !== this.#current) return;
    this.#current = undefined;
    this.#opening = undefined;
  }
}

/** Whether a database of that name exists; true if the browser cannot tell. */
export async function isStored(name: string): Promise<boolean> {
  const list = async () => indexedDB.databases?.();
  const all = await watch.call(list, answers).catch(() => undefined);
  return all?.some((one) => one.name === name) ?? true;
}
