/** Hourly sums per account, product, model, tier and deployment: what invoices and breakdowns are read from. */

import { hourOf } from "./products.ts";
import type { LedgerTransaction, RollupRow } from "./schema.ts";

/** Above every string, number and date in the order of IndexedDB's keys. */
const AFTER_EVERYTHING: [] = [];

export type RollupKey = [string, number, string, string, string, string, string];

export function rollupKey(row: RollupRow): RollupKey {
  return [row.account, row.hour_ms, row.product_id, row.model, row.tier, row.deployment_name, row.gpu_type];
}

/** Keys of one account's roll-ups in the hours of `[startMs, endMs)`. */
export function rollupRange(account: string, startMs: number, endMs: number): IDBKeyRange {
  return IDBKeyRange.bound([account, hourOf(startMs)], [account, endMs], false, true);
}

/** All keys of one account. */
function accountRange(account: string, fromMs: number): IDBKeyRange {
  return IDBKeyRange.bound([account, fromMs], [account, AFTER_EVERYTHING], false, true);
}

/** Sums rows of equal key; rows that come to nothing remain, with zeros. */
export function sumRollups(rows: Iterable<RollupRow>): Map<string, RollupRow> {
  const sums = new Map<string, RollupRow>();
  for (const row of rows) {
    const key = JSON.stringify(rollupKey(row));
    const sum = sums.get(key);
    if (sum) {
      sum.quantity += row.quantity;
      sum.event_count += row.event_count;
    } else sums.set(key, { ...row });
  }
  return sums;
}

/** Stored roll-ups by key, undefined where there is none, as {@link readStored} has found them. */
export type StoredRollups = ReadonlyMap<string, RollupRow | undefined>;

/** What is stored under the keys of some rows. */
export async function readStored(
  transaction: LedgerTransaction,
  rows: readonly RollupRow[],
): Promise<StoredRollups> {
  const store = transaction.objectStore("rollups");
  const found = [...sumRollups(rows)].map(
    async ([key, row]): Promise<[string, RollupRow | undefined]> => [key, await store.get(rollupKey(row))],
  );
  return new Map(await Promise.all(found));
}

/**
 * Adds the rows (negative ones subtract) to what is stored. Every stored row is read and written once.
 *
 * @param known what has been read of them already in this transaction
 */
export async function addToRollups(
  transaction: LedgerTransaction,
  rows: readonly RollupRow[],
  known: StoredRollups = new Map(),
): Promise<void> {
  const sums = sumRollups(rows);
  const unread = rows.filter((row) => !known.has(JSON.stringify(rollupKey(row))));
  const stored = unread.length === 0 ? known : await readStored(transaction, rows);
  const store = transaction.objectStore("rollups");
  for (const [key, change] of sums) {
    const before = stored.get(key);
    const sum = {
      ...change,
      quantity: change.quantity + (before?.quantity ?? 0),
      event_count: change.event_count + (before?.event_count ?? 0),
    };
    const write = sum.event_count === 0 ? store.delete(rollupKey(sum)) : store.put(sum);
    // Nobody waits for it: a write that fails ends the whole transaction.
    write.catch(() => {});
  }
}

export function readRollups(
  transaction: LedgerTransaction,
  account: string,
  startMs: number,
  endMs: number,
): Promise<RollupRow[]> {
  return transaction.objectStore("rollups").getAll(rollupRange(account, startMs, endMs));
}

/** The first hour from `fromMs` on in which the account used anything, or undefined. */
export async function firstHourWithUsage(
  transaction: LedgerTransaction,
  account: string,
  fromMs: number,
): Promise<number | undefined> {
  const cursor = await transaction.objectStore("rollups").openKeyCursor(accountRange(account, fromMs));
  return cursor?.key[1];
}
