/** Hourly sums per account, product, model, tier and deployment: the source of invoices and breakdowns. */

import { hourOf, rollupsOf } from "./products.ts";
import { quarantineRow } from "./quarantine.ts";
import { isValidRow } from "./row-schemas.ts";
import { type EventRow, LAST_MS, type LedgerTransaction, type RollupRow } from "./schema.ts";

type RollupKey = [string, number, string, string, string, string, string];

export function rollupKey(row: RollupRow): RollupKey {
  return [row.account, row.hour_ms, row.product_id, row.model, row.tier, row.deployment_name, row.gpu_type];
}

/** Key range of one account's roll-ups in the hours of `[startMs, endMs)`. */
export function rollupRange(account: string, startMs: number, endMs: number): IDBKeyRange {
  return IDBKeyRange.bound([account, hourOf(startMs)], [account, endMs], false, true);
}

/**
 * Sums rows with equal keys; rows that sum to zero are kept.
 *
 * @param sums that they are added to
 */
export function sumRollups(
  rows: Iterable<RollupRow>,
  sums = new Map<string, RollupRow>(),
): Map<string, RollupRow> {
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

/** Stored roll-ups by key, as read by {@link readStored}; undefined if there is none. */
type StoredRollups = ReadonlyMap<string, RollupRow | undefined>;

/** Reads what is stored under the keys of `rows`. */
export async function readStored(
  transaction: LedgerTransaction,
  rows: readonly RollupRow[],
): Promise<StoredRollups> {
  const store = transaction.objectStore("rollups");
  const found = [...sumRollups(rows)].map(async ([key, row]): Promise<[string, RollupRow | undefined]> => {
    const before = await store.get(rollupKey(row));
    if (before === undefined || isValidRow("rollups", before)) return [key, before];
    // Start over: `rebuild()` restores it from the events.
    await quarantineRow(transaction, "rollups", before);
    await store.delete(rollupKey(row));
    return [key, undefined];
  });
  return new Map(await Promise.all(found));
}

/**
 * Adds the rows (negative ones subtract) to the stored sums. Reads and writes each stored row once.
 *
 * @param known rows already read in this transaction
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
    // Rows without events are deleted, and so are invalid sums, which `rebuild()` restores.
    const write = isValidRow("rollups", sum) ? store.put(sum) : store.delete(rollupKey(sum));
    // Not awaited: a failed write aborts the whole transaction.
    write.catch(() => {});
  }
}

/** An account's valid rows in the hours of `[startMs, endMs)`. */
export async function readRollups(
  transaction: LedgerTransaction,
  account: string,
  startMs: number,
  endMs: number,
): Promise<RollupRow[]> {
  const rows = await transaction.objectStore("rollups").getAll(rollupRange(account, startMs, endMs));
  return rows.filter((row) => isValidRow("rollups", row));
}

/** The first hour in `[fromMs, beforeMs)` with usage by the account, or undefined. */
export async function firstHourWithUsage(
  transaction: LedgerTransaction,
  account: string,
  fromMs: number,
  beforeMs = LAST_MS,
): Promise<number | undefined> {
  if (fromMs >= beforeMs) return undefined;
  const range = rollupRange(account, fromMs, beforeMs);
  let at = await transaction.objectStore("rollups").openCursor(range);
  while (at && !isValidRow("rollups", at.value)) at = await at.continue();
  return at?.value.hour_ms;
}

/** Takes what an event added from the stored sums. */
export function subtractFromRollups(transaction: LedgerTransaction, event: EventRow): Promise<void> {
  const negative = rollupsOf(event).map((row) => ({ ...row, quantity: -row.quantity, event_count: -1 }));
  return addToRollups(transaction, negative);
}
