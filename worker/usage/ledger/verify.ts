/** Compares roll-ups with the events that they sum, and rebuilds them. */

import { readAccountMeta } from "./accounts.ts";
import type { LedgerDatabase } from "./database.ts";
import { rollupsOf } from "./products.ts";
import { readRollups, rollupKey, rollupRange, sumRollups } from "./rollups.ts";
import { isValidRow } from "./row-schemas.ts";
import { type EventRow, type LedgerTransaction, NEVER_MS, type RollupRow, type StoreName } from "./schema.ts";

export interface RollupDifference {
  key: string;
  expected: number;
  found: number;
}

const STORES: readonly StoreName[] = ["events", "rollups", "invoices", "meta"];

/** Events held in memory at once. */
const BATCH = 2_000;

/** Differences between roll-ups and events, as far back as all events are kept. */
export function verifyRollups(database: LedgerDatabase, account: string): Promise<RollupDifference[]> {
  return database.read(STORES, async (transaction) => {
    const { fromMs, expected } = await expectedRollups(transaction, account);
    return differences(expected, await readRollups(transaction, account, fromMs, NEVER_MS));
  });
}

/** Rebuilds the roll-ups from the events in one transaction. Returns the differences found. */
export function rebuildRollups(database: LedgerDatabase, account: string): Promise<RollupDifference[]> {
  return database.write(STORES, async (transaction) => {
    const { fromMs, expected } = await expectedRollups(transaction, account);
    const found = differences(expected, await readRollups(transaction, account, fromMs, NEVER_MS));
    const store = transaction.objectStore("rollups");
    await store.delete(rollupRange(account, fromMs, NEVER_MS));
    for (const row of expected.values()) await store.put(row);
    return found;
  });
}

async function expectedRollups(transaction: LedgerTransaction, account: string) {
  const fromMs = (await readAccountMeta(transaction, account)).events_from_ms;
  const expected = new Map<string, RollupRow>();
  for await (const events of eventsInBatches(transaction, account, fromMs, NEVER_MS)) {
    sumRollups(events.flatMap(rollupsOf), expected);
  }
  return { fromMs, expected };
}

/** An account's events in `[startMs, endMs)` by billing time, in batches. */
export async function* eventsInBatches(
  transaction: LedgerTransaction,
  account: string,
  startMs: number,
  endMs: number,
): AsyncGenerator<EventRow[], void> {
  if (startMs >= endMs) return;
  const index = transaction.objectStore("events").index("by_account_time");
  let from = startMs;
  let skip = new Set<string>();
  while (true) {
    const range = IDBKeyRange.bound([account, from], [account, endMs], false, true);
    const rows = await index.getAll(range, BATCH + skip.size);
    const fresh = rows.filter((row) => !skip.has(row.transaction_id));
    const valid = fresh.filter((row) => isValidRow("events", row));
    if (valid.length > 0) yield valid;
    if (rows.length < BATCH + skip.size) return;
    // The next batch starts at the last timestamp again and skips events already read.
    from = rows.at(-1)!.time_ms;
    skip = new Set(rows.filter((row) => row.time_ms === from).map((row) => row.transaction_id));
  }
}

/** Sums by key, as {@link sumRollups} makes them, against stored rows. */
export function differences(
  expected: ReadonlyMap<string, RollupRow>,
  stored: readonly RollupRow[],
): RollupDifference[] {
  const found = new Map(stored.map((row) => [JSON.stringify(rollupKey(row)), row]));
  return [...new Set([...expected.keys(), ...found.keys()])]
    .map((key) => ({
      key,
      expected: expected.get(key)?.quantity ?? 0,
      found: found.get(key)?.quantity ?? 0,
      sameCount: expected.get(key)?.event_count === found.get(key)?.event_count,
    }))
    .filter((one) => one.expected !== one.found || !one.sameCount)
    .map(({ key, expected: wanted, found: got }) => ({ key, expected: wanted, found: got }));
}
