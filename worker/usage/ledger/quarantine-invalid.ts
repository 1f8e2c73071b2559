/** Quarantines rows that cannot be billed, so that one of them does not block reading the others. */

import { readAccountMeta } from "./accounts.ts";
import type { LedgerDatabase } from "./database.ts";
import { quarantineRow } from "./quarantine.ts";
import { isValidRow } from "./row-schemas.ts";
import type { LedgerTransaction, StoreName } from "./schema.ts";

/** Rows read per transaction: few, so that recording never waits long. */
const BATCH = 1_000;

const STORES: readonly StoreName[] = [
  "inflight",
  "rollups",
  "rates",
  "grants",
  "invoices",
  "accounts",
  "meta",
];

/**
 * Quarantines every invalid row. Reads do not depend on it: they skip such rows.
 *
 * @param options `withEvents`: also those of `events`, which may be large: only `verify()` reads all of it
 */
export async function quarantineInvalid(
  database: LedgerDatabase,
  { withEvents }: { withEvents: boolean },
): Promise<void> {
  for (const store of withEvents ? ([...STORES, "events"] as const) : STORES) {
    const broken = await invalidKeys(database, store);
    if (broken.length === 0) continue;
    await database.write([store, "meta", "invoices"], async (transaction) => {
      for (const key of broken) await moveIfInvalid(transaction, store, key);
    });
  }
}

async function invalidKeys(database: LedgerDatabase, store: StoreName): Promise<IDBValidKey[]> {
  const broken: IDBValidKey[] = [];
  let range: IDBKeyRange | null = null;
  while (true) {
    const [keys, rows]: [IDBValidKey[], unknown[]] = await database.read([store], (transaction) => {
      const all = transaction.objectStore(store);
      return Promise.all([all.getAllKeys(range as never, BATCH), all.getAll(range as never, BATCH)]);
    });
    broken.push(...keys.filter((key, at) => !isValidRow(store, rows[at], key)));
    if (keys.length < BATCH) return broken;
    range = IDBKeyRange.lowerBound(keys.at(-1), true);
  }
}

/** Does nothing if another tab has already handled the row. */
async function moveIfInvalid(
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
