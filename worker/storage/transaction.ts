/** One transaction of a database: committed as a whole, or not at all. */

import type { DBSchema, IDBPTransaction, StoreNames } from "idb";

/** A transaction. A read-only one fails at the first write. */
export type Transaction<Schema extends DBSchema> = IDBPTransaction<Schema, StoreNames<Schema>[], "readwrite">;

export type Work<Schema extends DBSchema, T> = (transaction: Transaction<Schema>) => Promise<T>;

export interface Progress<Schema extends DBSchema> {
  transaction?: Transaction<Schema>;
  /** Called with the first answer: it waits for no other transaction any more. */
  onBegin?(): void;
  /** After this, it is unknown whether the changes are stored. */
  isCommitting: boolean;
}

/** Runs `work` in the transaction and commits it. @throws any error of either, after rollback */
export async function complete<Schema extends DBSchema, T>(
  transaction: Transaction<Schema>,
  work: Work<Schema, T>,
  progress: Progress<Schema> = { isCommitting: false },
): Promise<T> {
  // A failed request rejects its own promise and `done`: do not report the latter as unhandled.
  transaction.done.catch(() => {});
  transaction.addEventListener("success", () => progress.onBegin?.(), { capture: true, once: true });
  try {
    const result = await work(transaction);
    progress.isCommitting = true;
    commit(transaction);
    await transaction.done;
    return result;
  } catch (error) {
    abort(transaction);
    await transaction.done.catch(() => {});
    throw error;
  }
}

/** Commits at once; the browser would wait for the last write's response first. */
function commit(transaction: { commit(): void }): void {
  try {
    transaction.commit();
  } catch {
    // Already ended.
  }
}

export function abort(transaction: { abort(): void } | undefined): void {
  try {
    transaction?.abort();
  } catch {
    // Already ended: nothing to undo.
  }
}
