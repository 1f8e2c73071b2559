/** Moves a row that cannot be billed to the quarantine. Loaded with the first such row. */

import { readAccountMeta } from "./accounts.ts";
import { quarantineRow } from "./quarantine.ts";
import { isValidRow } from "./row-schemas.ts";
import type { LedgerTransaction, StoreName } from "./schema.ts";

/** Does nothing if another tab has already handled the row. */
export async function moveIfInvalid(
  transaction: LedgerTransaction,
  store: StoreName,
  key: IDBValidKey,
): Promise<void> {
  const rows = transaction.objectStore(store);
  const row: unknown = await rows.get(key as never);
  if (row === undefined || isValidRow(store, row, key)) return;
  await quarantineRow(transaction, store, row);
  const whole = await repaired(transaction, store, row, key);
  if (whole === undefined) await rows.delete(key as never);
  else await rows.put(whole as never, rows.keyPath === null ? (key as never) : undefined);
}

/** Replacement for a row that the ledger requires. */
async function repaired(
  transaction: LedgerTransaction,
  store: StoreName,
  row: unknown,
  key: IDBValidKey,
): Promise<unknown> {
  if (store === "accounts") {
    const { name, created_ms, billing } = row as Record<string, unknown>;
    const fields = { name, created_ms, billing };
    const account: Record<string, unknown> = { id: key, name: String(key), created_ms: 0, billing: true };
    for (const [field, value] of Object.entries(fields))
      if (isValidRow("accounts", { ...account, [field]: value })) account[field] = value;
    return isValidRow("accounts", account) ? account : undefined;
  }
  if (store !== "meta" || typeof key !== "string") return undefined;
  if (key === "install_id") return `install_${crypto.randomUUID()}`;
  return key.startsWith("account:") ? readAccountMeta(transaction, key.slice("account:".length)) : undefined;
}
