/** A backup is every row of the ledger as JSON Lines; importing one adds missing rows, idempotently. */

import type { ImportReport } from "../../../src/protocol/billing.ts";
import { readAccountMeta } from "./accounts.ts";
import type { LedgerDatabase } from "./database.ts";
import { LedgerError } from "./ledger-error.ts";
import { rollupsOf } from "./products.ts";
import { addToRollups } from "./rollups.ts";
import { BACKED_UP, type BackedUpStore, schemaOf } from "./row-schemas.ts";
import type { EventRow, InvoiceRow, LedgerTransaction } from "./schema.ts";

interface BackupLine {
  store: BackedUpStore;
  /** Only for `meta`, whose rows do not contain their key. */
  key?: string;
  row: never;
}

const BATCH = 2_000;

/** All billable rows as JSON Lines, in chunks. */
export async function exportBackup(database: LedgerDatabase): Promise<string[]> {
  return database.read(BACKED_UP, async (transaction) => {
    const pieces: string[] = [];
    for (const store of BACKED_UP) {
      let range: IDBKeyRange | null = null;
      while (true) {
        const keys: IDBValidKey[] = await transaction.objectStore(store).getAllKeys(range as never, BATCH);
        const rows = await transaction.objectStore(store).getAll(range as never, BATCH);
        const lines = rows.flatMap((row, at) => {
          const key = keys[at]!;
          if (!schemaOf(store, key)?.safeParse(row).success) return [];
          return [JSON.stringify(store === "meta" ? { store, key, row } : { store, row })];
        });
        if (lines.length > 0) pieces.push(`${lines.join("\n")}\n`);
        if (keys.length < BATCH) break;
        range = IDBKeyRange.lowerBound(keys.at(-1), true);
      }
    }
    return pieces;
  });
}

/**
 * Imports a backup in one transaction. A ledger without usage is restored from it as is; otherwise missing rows are
 * added if their period is open, and existing rows never change.
 *
 * @throws {LedgerError} `invalid_argument` for a line that is not part of a backup
 */
export async function importBackup(
  database: LedgerDatabase,
  text: string,
  recordedMs: number,
): Promise<ImportReport> {
  const lines = parseLines(text);
  return database.write(BACKED_UP, async (transaction) => {
    const counts: ImportReport = { added: 0, duplicate: 0, conflict: 0, refused: 0 };
    const isEmpty =
      !(await transaction.objectStore("events").openKeyCursor()) &&
      !(await transaction.objectStore("rollups").openKeyCursor()) &&
      !(await transaction.objectStore("invoices").openKeyCursor());
    for (const line of lines) {
      const outcome = await (isEmpty ? restore(transaction, line) : merge(transaction, line, recordedMs));
      counts[outcome]++;
    }
    return counts;
  });
}

/**
 * Overwrites what a new ledger creates itself: prices, the default account, the install id. Of two invoices in one place
 * the first is kept, as the index refuses the second.
 */
async function restore(transaction: LedgerTransaction, line: BackupLine): Promise<keyof ImportReport> {
  const stored = await existing(transaction, line);
  if (stored !== undefined && isEqual(stored, line.row)) return "duplicate";
  if (line.store === "invoices" && (await isPlaceTaken(transaction, line.row))) return "conflict";
  await transaction.objectStore(line.store).put(line.row, line.key as never);
  return "added";
}

/** Whether another invoice is the account's for the period and revision. */
async function isPlaceTaken(transaction: LedgerTransaction, row: InvoiceRow): Promise<boolean> {
  const place: [string, string, number, number] = [row.account, row.type, row.period_start_ms, row.revision];
  const id = await transaction.objectStore("invoices").index("by_account_period").getKey(place);
  return id !== undefined && id !== row.id;
}

async function merge(
  transaction: LedgerTransaction,
  line: BackupLine,
  recordedMs: number,
): Promise<keyof ImportReport> {
  const stored = await existing(transaction, line);
  if (stored !== undefined) return isEqual(stored, line.row) ? "duplicate" : "conflict";
  if (line.store === "events") return mergeEvent(transaction, line.row, recordedMs);
  // Prices, roll-ups and invoices of a ledger in use derive from its own usage.
  if (line.store !== "accounts" && line.store !== "grants") return "refused";
  await transaction.objectStore(line.store).put(line.row);
  return "added";
}

async function mergeEvent(
  transaction: LedgerTransaction,
  event: EventRow,
  recordedMs: number,
): Promise<keyof ImportReport> {
  const { open_from_ms } = await readAccountMeta(transaction, event.account);
  if (event.time_ms < open_from_ms) return "refused";
  await transaction.objectStore("events").put({ ...event, recorded_ms: recordedMs });
  await addToRollups(transaction, rollupsOf(event));
  return "added";
}

async function existing(transaction: LedgerTransaction, line: BackupLine): Promise<unknown> {
  const store = transaction.objectStore(line.store);
  if (line.key !== undefined) return store.get(line.key);
  const keyPath = store.keyPath as string | string[];
  const row: Record<string, unknown> = line.row;
  const key = Array.isArray(keyPath) ? keyPath.map((part) => row[part]) : row[keyPath];
  return store.get(key as never);
}

function parseLines(text: string): BackupLine[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line, at) => {
      try {
        const parsed = JSON.parse(line) as BackupLine;
        const schema = BACKED_UP.includes(parsed.store) ? schemaOf(parsed.store, parsed.key) : undefined;
        const hasKey = typeof parsed.key === "string";
        if (schema?.safeParse(parsed.row).success && hasKey === (parsed.store === "meta")) return parsed;
      } catch {
        // Reported below with the line number.
      }
      throw new LedgerError("invalid_argument", `Line ${at + 1} is not a valid line of a backup.`);
    });
}

/** Equal except for the local recording time. */
function isEqual(a: unknown, b: unknown): boolean {
  const comparable = (value: unknown): string => {
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
    const { recorded_ms, ...row } = value as Record<string, unknown>;
    return JSON.stringify(Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1)));
  };
  return comparable(a) === comparable(b);
}
