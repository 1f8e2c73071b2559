/** A backup is every row of the ledger as JSON Lines; importing one adds missing rows, idempotently. */

import type { ImportReport } from "../../../src/protocol/rpc/billing.ts";
import { readAccountMeta } from "./accounts.ts";
import type { LedgerDatabase } from "./database.ts";
import { LedgerError } from "./ledger-error.ts";
import { rollupsOf } from "./products.ts";
import { addToRollups, sumRollups } from "./rollups.ts";
import { BACKED_UP, type BackedUpStore, schemaOf } from "./row-schemas.ts";
import type { EventRow, InvoiceRow, LedgerTransaction, RollupRow } from "./schema.ts";

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
  return database.write(BACKED_UP, async (transaction) => {
    const counts: ImportReport = { added: 0, duplicate: 0, conflict: 0, refused: 0 };
    const target = (await isUnused(transaction)) ? new NewLedger() : new UsedLedger(recordedMs);
    for (const batch of batchesOf(text)) {
      /** By store and key: what was written of the batch so far. */
      const written = new Map<string, unknown>();
      // Requests wait for this transaction: rows are read side by side, and no write is awaited.
      const stored = await Promise.all(batch.map((line) => storedRow(transaction, line)));
      await target.prepare(transaction, batch);
      for (const [index, line] of batch.entries()) {
        const id = JSON.stringify([line.store, keyOf(transaction, line)]);
        const before = written.get(id) ?? stored[index];
        const isDuplicate = before !== undefined && isEqual(before, line.row);
        const outcome = isDuplicate ? "duplicate" : target.judge(line, before);
        counts[outcome]++;
        if (outcome !== "added") continue;
        written.set(id, line.row);
        // A failed write aborts the whole transaction.
        target.write(transaction, line).catch(() => {});
      }
    }
    await target.finish(transaction);
    return counts;
  });
}

async function isUnused(transaction: LedgerTransaction): Promise<boolean> {
  for (const store of ["events", "rollups", "invoices"] as const) {
    if (await transaction.objectStore(store).openKeyCursor()) return false;
  }
  return true;
}

/** What lines are imported into. */
interface Target {
  prepare(transaction: LedgerTransaction, lines: readonly BackupLine[]): Promise<void>;
  /** @param before the row in its place, if any, which is not equal */
  judge(line: BackupLine, before: unknown): keyof ImportReport;
  write(transaction: LedgerTransaction, line: BackupLine): Promise<unknown>;
  finish(transaction: LedgerTransaction): Promise<void>;
}

/** Overwrites what a new ledger creates itself: prices, the default account, the install id. */
class NewLedger implements Target {
  /** Ids of invoices, by account, period and revision, of which an index allows one. */
  readonly #places = new Map<string, string>();

  async prepare(): Promise<void> {}

  judge(line: BackupLine): keyof ImportReport {
    if (line.store !== "invoices") return "added";
    const { id, account, type, period_start_ms, revision }: InvoiceRow = line.row;
    const place = JSON.stringify([account, type, period_start_ms, revision]);
    const first = this.#places.get(place) ?? id;
    this.#places.set(place, first);
    return first === id ? "added" : "conflict";
  }

  write(transaction: LedgerTransaction, { store, row, key }: BackupLine): Promise<unknown> {
    return transaction.objectStore(store).put(row, key as never);
  }

  async finish(): Promise<void> {}
}

class UsedLedger implements Target {
  readonly #recordedMs: number;
  readonly #openFromMs = new Map<string, number>();
  readonly #rollups = new Map<string, RollupRow>();

  constructor(recordedMs: number) {
    this.#recordedMs = recordedMs;
  }

  async prepare(transaction: LedgerTransaction, lines: readonly BackupLine[]): Promise<void> {
    for (const { store, row } of lines) {
      if (store !== "events") continue;
      const { account }: EventRow = row;
      if (this.#openFromMs.has(account)) continue;
      this.#openFromMs.set(account, (await readAccountMeta(transaction, account)).open_from_ms);
    }
  }

  judge({ store, row }: BackupLine, before: unknown): keyof ImportReport {
    if (before !== undefined) return "conflict";
    if (store === "accounts" || store === "grants") return "added";
    // Prices, roll-ups and invoices of a ledger in use derive from its own usage.
    if (store !== "events") return "refused";
    const { account, time_ms }: EventRow = row;
    return time_ms < this.#openFromMs.get(account)! ? "refused" : "added";
  }

  write(transaction: LedgerTransaction, { store, row }: BackupLine): Promise<unknown> {
    if (store !== "events") return transaction.objectStore(store).put(row);
    const event: EventRow = { ...(row as EventRow), recorded_ms: this.#recordedMs };
    sumRollups(rollupsOf(event), this.#rollups);
    return transaction.objectStore("events").put(event);
  }

  async finish(transaction: LedgerTransaction): Promise<void> {
    await addToRollups(transaction, [...this.#rollups.values()]);
  }
}

function storedRow(transaction: LedgerTransaction, line: BackupLine): Promise<unknown> {
  return transaction.objectStore(line.store).get(keyOf(transaction, line) as never);
}

function keyOf(transaction: LedgerTransaction, { store, key, row }: BackupLine): unknown {
  if (key !== undefined) return key;
  const keyPath = transaction.objectStore(store).keyPath as string | string[];
  const fields: Record<string, unknown> = row;
  return Array.isArray(keyPath) ? keyPath.map((part) => fields[part]) : fields[keyPath];
}

/** Parses a batch when it is wanted: between two batches, the worker answers its pages. */
function* batchesOf(text: string): Generator<BackupLine[], void> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  for (let at = 0; at < lines.length; at += BATCH) {
    yield lines.slice(at, at + BATCH).map((line, index) => parseLine(line, at + index + 1));
  }
}

function parseLine(line: string, number: number): BackupLine {
  try {
    const parsed = JSON.parse(line) as BackupLine;
    const schema = BACKED_UP.includes(parsed.store) ? schemaOf(parsed.store, parsed.key) : undefined;
    const hasKey = typeof parsed.key === "string";
    if (schema?.safeParse(parsed.row).success && hasKey === (parsed.store === "meta")) return parsed;
  } catch {
    // Reported below with the line number.
  }
  throw new LedgerError("invalid_argument", `Line ${number} is not a valid line of a backup.`);
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
