/** Recovers streams whose worker died: records each once, at its last checkpoint. */

import type { Clock } from "../../clock.ts";
import type { LedgerDatabase } from "./database.ts";
import { type LedgerLocks, ownerLock } from "./locks.ts";
import { quarantineRow } from "./quarantine.ts";
import { type NewEvent, RECORD_STORES, recordEvents } from "./record.ts";
import { isValidRow } from "./row-schemas.ts";
import type { InflightRow } from "./schema.ts";

/**
 * Settles every orphan and returns how many events that recorded. The lock of a dead worker is free; holding it
 * keeps other tabs from recovering the same rows, and recording twice counts once.
 */
export async function recoverOrphans(
  database: LedgerDatabase,
  locks: LedgerLocks,
  clock: Clock,
): Promise<number> {
  const owners = await database.read(["inflight"], async (transaction) => {
    const found = new Set<string>();
    const index = transaction.objectStore("inflight").index("by_owner");
    for (let at = await index.openKeyCursor(null, "nextunique"); at; at = await at.continue())
      found.add(at.key);
    return found;
  });
  let recovered = 0;
  for (const owner of owners) {
    recovered += (await locks.ifFree(ownerLock(owner), () => recoverOwner(database, clock, owner))) ?? 0;
  }
  return recovered;
}

function recoverOwner(database: LedgerDatabase, clock: Clock, owner: string): Promise<number> {
  return database.write(RECORD_STORES, async (transaction) => {
    const store = transaction.objectStore("inflight");
    const rows = await store.index("by_owner").getAll(owner);
    for (const row of rows) await store.delete(row.transaction_id);
    const valid = rows.filter((row) => isValidRow("inflight", row));
    const broken = rows.filter((row) => !valid.includes(row));
    for (const row of broken) await quarantineRow(transaction, "inflight", row);
    const charged = valid.filter((row) => row.stream && row.phase === "delivering" && row.output_tokens > 0);
    return recordEvents(transaction, charged.map(interrupted), clock.now());
  });
}

function interrupted(row: InflightRow): NewEvent {
  const { owner_id, stream, phase, started_ms, checkpoint_ms, ...usage } = row;
  return {
    ...usage,
    request_id: row.transaction_id,
    outcome: "interrupted",
    occurred_ms: checkpoint_ms,
    time_ms: checkpoint_ms,
  };
}
