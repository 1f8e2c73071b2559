/** Accounts and the state of their ledgers. */

import type { Clock } from "../../clock.ts";
import type { LedgerDatabase } from "./database.ts";
import { isValidRow } from "./row-schemas.ts";
import type { AccountMeta, AccountRow, LedgerTransaction } from "./schema.ts";

/** Account of the API key that a page generates for itself. */
export const DEFAULT_ACCOUNT = "default";

const UNTOUCHED: AccountMeta = { open_from_ms: 0, events_from_ms: 0 };

/** Needs a transaction over `meta` and `invoices`. */
export async function readAccountMeta(transaction: LedgerTransaction, account: string): Promise<AccountMeta> {
  const key = `account:${account}`;
  const meta = await transaction.objectStore("meta").get(key);
  if (meta === undefined) return UNTOUCHED;
  return isValidRow("meta", meta, key) ? (meta as AccountMeta) : metaByInvoices(transaction, account);
}

/** Replaces a corrupt row: closed up to the last invoice, with no closed events assumed kept. */
async function metaByInvoices(transaction: LedgerTransaction, account: string): Promise<AccountMeta> {
  const range = IDBKeyRange.bound([account], [account, []]);
  const rows = await transaction.objectStore("invoices").index("by_account_period").getAll(range);
  const ends = rows.filter((row) => isValidRow("invoices", row)).map((row) => row.period_end_ms);
  const open_from_ms = Math.max(0, ...ends);
  return { open_from_ms, events_from_ms: open_from_ms };
}

export async function writeAccountMeta(
  transaction: LedgerTransaction,
  account: string,
  meta: AccountMeta,
): Promise<void> {
  await transaction.objectStore("meta").put(meta, `account:${account}`);
}

/** Initializes a new database: its install id and the default account. */
export async function prepareLedger(transaction: LedgerTransaction, clock: Clock): Promise<void> {
  const meta = transaction.objectStore("meta");
  if (!(await meta.get("install_id"))) await meta.put(clock.id("install_"), "install_id");
  const accounts = transaction.objectStore("accounts");
  if (!(await accounts.get(DEFAULT_ACCOUNT)))
    await accounts.put(newAccount(DEFAULT_ACCOUNT, "Default", clock));
}

function newAccount(id: string, name: string, clock: Clock): AccountRow {
  return { id, name, created_ms: clock.now(), billing: true };
}

/** Creates the account; an existing one is returned unchanged. */
export function createAccount(
  database: LedgerDatabase,
  clock: Clock,
  account: { id: string; name: string; billing?: boolean },
): Promise<AccountRow> {
  return database.write(["accounts"], async (transaction) => {
    const store = transaction.objectStore("accounts");
    const existing = await store.get(account.id);
    if (existing) return existing;
    const created = {
      ...newAccount(account.id, account.name, clock),
      billing: account.billing ?? true,
    };
    await store.put(created);
    return created;
  });
}
