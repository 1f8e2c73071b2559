/** Finds rows that cannot be billed and quarantines them, so that one of them does not block reading the others. */

import { loadPart } from "../../lazy/part.ts";
import type { LedgerDatabase } from "./database.ts";
import { isValidRow } from "./row-schemas.ts";
import type { StoreName } from "./schema.ts";

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
    const { moveIfInvalid } = await loadPart(() => import("./move-invalid.ts"));
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
