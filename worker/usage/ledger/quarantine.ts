/** Quarantine for rows that cannot be billed. */

import type { LedgerTransaction, StoreName } from "./schema.ts";

/** Key prefix in `meta`, before the store's name: every database version has `meta`. */
const PREFIX = "quarantine:";

const used = new WeakSet<LedgerTransaction>();

/** Keeps a row unchanged. The caller deletes it from its store, in the same transaction over `meta`. */
export async function quarantineRow(
  transaction: LedgerTransaction,
  store: StoreName,
  row: unknown,
): Promise<void> {
  used.add(transaction);
  await transaction.objectStore("meta").put({ row } as never, `${PREFIX}${store}:${crypto.randomUUID()}`);
}

/** Whether the transaction has quarantined any row. */
export function hasQuarantined(transaction: LedgerTransaction): boolean {
  return used.has(transaction);
}

/** Number of quarantined rows. */
export function countQuarantined(transaction: LedgerTransaction): Promise<number> {
  return transaction.objectStore("meta").count(IDBKeyRange.bound(PREFIX, `${PREFIX}\uffff`));
}
