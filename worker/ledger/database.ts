/** The one connection of this worker to the ledger: opened on first use, reopened after it was lost. */

import { type IDBPDatabase, openDB } from "idb";
import { LedgerError } from "./ledger-error.ts";
import {
  type LedgerSchema,
  type LedgerTransaction,
  MIGRATIONS,
  type Migration,
  type StoreName,
} from "./schema.ts";

type Connection = IDBPDatabase<LedgerSchema>;
type Work<T> = (transaction: LedgerTransaction) => Promise<T>;

interface LedgerDatabaseOptions {
  /** The database is called `<name>-ledger`. */
  name: string;
  /** Runs in one transaction over all stores after every open, before anything else is read or written. */
  onOpen?: Work<void>;
  /** How long an open may take before callers are told `ledger_blocked`. */
  openLimitMs?: number;
  migrations?: readonly Migration[];
}

export class LedgerDatabase {
  readonly name: string;
  readonly #options: LedgerDatabaseOptions;
  #opening: Promise<Connection> | undefined;
  #current: Connection | undefined;
  #isLate = false;

  constructor(options: LedgerDatabaseOptions) {
    this.#options = options;
    this.name = `${options.name}-ledger`;
  }

  /**
   * Runs `work` in one transaction that only reads: one consistent state of the books.
   *
   * @throws {LedgerError} `ledger_unavailable` or `ledger_blocked`
   */
  read<T>(stores: readonly StoreName[], work: Work<T>): Promise<T> {
    return this.#run(stores, "readonly", "default", work);
  }

  /**
   * Runs `work` in one transaction that commits as a whole or not at all. Await only IndexedDB promises in it:
   * anything else ends the transaction early.
   *
   * @throws {LedgerError} `ledger_unavailable` or `ledger_blocked`; whatever `work` throws, after undoing it
   */
  write<T>(stores: readonly StoreName[], work: Work<T>, durability: IDBTransactionDurability = "strict") {
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
    stores: readonly StoreName[],
    mode: "readonly" | "readwrite",
    durability: IDBTransactionDurability,
    work: Work<T>,
  ): Promise<T> {
    const start = (connection: Connection) =>
      connection.transaction([...stores], mode as "readwrite", { durability }) as LedgerTransaction;
    try {
      const connection = await this.#connect();
      let transaction: LedgerTransaction;
      try {
        transaction = start(connection);
      } catch (error) {
        if (!(error instanceof DOMException) || error.name !== "InvalidStateError") throw error;
        // The connection was closed between two uses: the database was deleted, evicted or upgraded.
        this.#forget(connection);
        transaction = start(await this.#connect());
      }
      return await complete(transaction, work);
    } catch (error) {
      throw error instanceof DOMException ? unavailable(error) : error;
    }
  }

  #connect(): Promise<Connection> {
    // Whoever comes while an open hangs is not kept waiting as well.
    if (this.#isLate) return Promise.reject(blocked());
    const opening = this.#opening ?? this.#open();
    this.#opening = opening;
    // A failed open is not remembered: the next use tries again.
    opening.catch(() => {
      if (this.#opening === opening) this.#opening = undefined;
    });
    const limitMs = this.#options.openLimitMs ?? 5_000;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#isLate = true;
        reject(blocked());
      }, limitMs);
      opening.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }

  async #open(): Promise<Connection> {
    const migrations = this.#options.migrations ?? MIGRATIONS;
    let connection: Connection | undefined;
    try {
      connection = await openDB<LedgerSchema>(this.name, migrations.length, {
        upgrade(_database, oldVersion, _newVersion, transaction) {
          for (const migrate of migrations.slice(oldVersion)) migrate(transaction as never);
        },
        // Another tab wants a newer version, or to delete the books: never stand in its way.
        blocking: () => {
          connection?.close();
          this.#forget(connection);
        },
        terminated: () => this.#forget(connection),
      });
      const { onOpen } = this.#options;
      if (onOpen) {
        const stores = [...connection.objectStoreNames];
        const transaction = connection.transaction(stores, "readwrite", { durability: "strict" });
        await complete(transaction as LedgerTransaction, onOpen);
      }
      this.#current = connection;
      return connection;
    } catch (error) {
      connection?.close();
      throw error instanceof LedgerError ? error : unavailable(error);
    } finally {
      this.#isLate = false;
    }
  }

  #forget(connection: Connection | undefined): void {
    if (!connection || connection !== this.#current) return;
    this.#current = undefined;
    this.#opening = undefined;
  }
}

async function complete<T>(transaction: LedgerTransaction, work: Work<T>): Promise<T> {
  // A failed request rejects both its own promise and `done`: this one must not count as unhandled.
  transaction.done.catch(() => {});
  try {
    const result = await work(transaction);
    await transaction.done;
    return result;
  } catch (error) {
    abort(transaction);
    await transaction.done.catch(() => {});
    throw error;
  }
}

function abort(transaction: LedgerTransaction): void {
  try {
    transaction.abort();
  } catch {
    // It ended by itself: nothing is left to undo.
  }
}

function unavailable(cause: unknown): LedgerError {
  return new LedgerError("ledger_unavailable", "The ledger's database cannot be used right now.", { cause });
}

function blocked(): LedgerError {
  return new LedgerError(
    "ledger_blocked",
    "Another tab keeps the ledger's database busy. Close or reload the other tabs of this site.",
  );
}
