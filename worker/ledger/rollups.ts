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

/** Adds the rows (negative ones subtract) to what is stored. Every stored row is read and written once. */
export async function addToRollups(transaction: LedgerTransaction, rows: RollupRow[]): Promise<void> {
  const store = transaction.objectStore("rollups");
  await Promise.all(
    [...sumRollups(rows).values()].map(async (change) => {
      const stored = await store.get(rollupKey(change));
      const sum = {
        ...change,
        quantity: change.quantity + (stored?.quantity ?? 0),
        event_count: change.event_count + (stored?.event_count ?? 0),
      };
      await (sum.event_count === 0 ? store.delete(rollupKey(sum)) : store.put(sum));
    }),
  );
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
