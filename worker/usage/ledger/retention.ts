/** Raw events are kept for ninety days after their period froze; roll-ups and invoices indefinitely. */

import { readAccountMeta, writeAccountMeta } from "./accounts.ts";
import type { LedgerDatabase } from "./database.ts";
import { isValidRow } from "./row-schemas.ts";
import { DAY_MS, type LedgerTransaction } from "./schema.ts";

const KEPT_MS = 90 * DAY_MS;

/** Events deleted per transaction: few, so that recording never waits long. */
const BATCH = 500;

/** Deletes expired events in small transactions. Returns how many were deleted. */
export async function dropOldEvents(
  database: LedgerDatabase,
  account: string,
  nowMs: number,
): Promise<number> {
  const stores = ["events", "invoices", "meta"] as const;
  let dropped = 0;
  while (true) {
    const batch = await database.write(stores, async (transaction) => {
      const endMs = await endOfOldPeriods(transaction, account, nowMs);
      if (endMs === 0) return 0;
      const meta = await readAccountMeta(transaction, account);
      // Before the first is deleted: if this ends early, `rebuild()` must not trust the rest.
      if (endMs > meta.events_from_ms)
        await writeAccountMeta(transaction, account, { ...meta, events_from_ms: endMs });
      const store = transaction.objectStore("events");
      const range = IDBKeyRange.bound([account, 0], [account, endMs], false, true);
      const keys = await store.index("by_account_time").getAllKeys(range, BATCH);
      for (const key of keys) await store.delete(key);
      return keys.length;
    });
    dropped += batch;
    if (batch < BATCH) return dropped;
  }
}

/** End of the last period, oldest first without gaps, that froze more than ninety days ago. */
async function endOfOldPeriods(transaction: LedgerTransaction, account: string, nowMs: number) {
  const rows = await transaction
    .objectStore("invoices")
    .index("by_account_period")
    .getAll(IDBKeyRange.bound([account, "USAGE"], [account, "USAGE", []]));
  let endMs = 0;
  for (const row of rows) {
    if (!isValidRow("invoices", row) || row.revision > 0) continue;
    if (row.frozen_ms === null || row.frozen_ms + KEPT_MS > nowMs) break;
    endMs = row.period_end_ms;
  }
  return endMs;
}
