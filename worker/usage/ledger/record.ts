/** Records events idempotently, from any tab. */

import type { Clock } from "../../clock.ts";
import { readAccountMeta } from "./accounts.ts";
import { type ChargedUse, chargedUse } from "./charged.ts";
import type { LedgerDatabase } from "./database.ts";
import { rollupsOf } from "./products.ts";
import { quarantineRow } from "./quarantine.ts";
import { addToRollups, readStored, subtractFromRollups } from "./rollups.ts";
import { isValidRow } from "./row-schemas.ts";
import type { EventRow, InflightRow, LedgerTransaction, StoreName } from "./schema.ts";

/** An event before it is recorded. A `time_ms` in a frozen period moves to the first open hour. */
export type NewEvent = Omit<EventRow, "recorded_ms" | "voided">;

/** Includes `invoices`, which tell how far an account is closed if its own row is corrupt. */
export const RECORD_STORES: readonly StoreName[] = ["events", "inflight", "rollups", "invoices", "meta"];

/**
 * Records each new event with its roll-ups and deletes its in-flight row. It checks before it writes: a failed
 * `add()` would abort the whole transaction, even when caught. An event replaces those of earlier attempts of its
 * request. Events that cannot be billed are quarantined and do not block the others. Returns how many were new.
 */
export async function recordEvents(
  transaction: LedgerTransaction,
  events: readonly NewEvent[],
  recordedMs: number,
): Promise<number> {
  const store = transaction.objectStore("events");
  const inflight = transaction.objectStore("inflight");
  const unique = lastAttempts(await billable(transaction, events, recordedMs));
  for (const event of unique) {
    const attempt = attemptOf(event);
    if (attempt > 0) await withdraw(transaction, event.transaction_id, (earlier) => earlier < attempt);
  }
  const accounts = [...new Set(unique.map(({ account }) => account))];
  // Read everything in parallel and await nothing afterwards: each await costs a database round trip.
  const [keys, metas, rollups] = await Promise.all([
    Promise.all(unique.map((event) => store.getKey(event.transaction_id))),
    Promise.all(accounts.map((account) => readAccountMeta(transaction, account))),
    // Nearly all events keep their billing time.
    readStored(transaction, unique.flatMap(rollupsOf)),
  ]);
  const openFromMs = new Map(accounts.map((account, at) => [account, metas[at]!.open_from_ms]));
  const recorded = unique
    .filter((_, at) => keys[at] === undefined)
    .map((event) => ({
      ...event,
      time_ms: Math.max(event.time_ms, openFromMs.get(event.account)!),
      recorded_ms: recordedMs,
    }));
  const writes = [
    ...recorded.map((row) => store.put(row)),
    ...unique.map((event) => inflight.delete(event.transaction_id)),
  ];
  // A failed write aborts the whole transaction.
  for (const write of writes) write.catch(() => {});
  await addToRollups(transaction, recorded.flatMap(rollupsOf), rollups);
  return recorded.length;
}

/** The events that can be billed; quarantines the others. */
async function billable(
  transaction: LedgerTransaction,
  events: readonly NewEvent[],
  recordedMs: number,
): Promise<NewEvent[]> {
  const valid: NewEvent[] = [];
  for (const event of events) {
    if (isValidRow("events", { ...event, recorded_ms: recordedMs })) {
      valid.push(event);
      continue;
    }
    await quarantineRow(transaction, "events", event);
    if (typeof event.transaction_id === "string")
      await transaction.objectStore("inflight").delete(event.transaction_id);
  }
  return valid;
}

/** The last attempt of each request. */
function lastAttempts(events: readonly NewEvent[]): NewEvent[] {
  const byTransaction = new Map<string, NewEvent>();
  for (const event of events) {
    const known = byTransaction.get(event.transaction_id);
    if (!known || attemptOf(known) < attemptOf(event)) byTransaction.set(event.transaction_id, event);
  }
  return [...byTransaction.values()];
}

/** Records events in one strictly durable transaction. */
export function settleEvents(database: LedgerDatabase, clock: Clock, events: readonly NewEvent[]) {
  return database.write(RECORD_STORES, (transaction) => recordEvents(transaction, events, clock.now()));
}

/** Stores the progress of a stream. Relaxed: a power cut may lose it, which charges less. */
export async function writeCheckpoint(database: LedgerDatabase, row: InflightRow): Promise<void> {
  await database.write(
    ["inflight"],
    async (transaction) => void (await transaction.objectStore("inflight").put(row)),
    "relaxed",
  );
}

/** Deletes the checkpoint of a stream that is free of charge. */
export async function dropCheckpoint(database: LedgerDatabase, transactionId: string): Promise<void> {
  await database.write(["inflight"], (transaction) =>
    transaction.objectStore("inflight").delete(transactionId),
  );
}

/**
 * Reverses what earlier attempts recorded for a request, because no output was delivered: an in-flight row, or an event
 * in a period that is still open. Returns what it was.
 */
export function reverseEarlier(
  database: LedgerDatabase,
  transactionId: string,
  attempt: number,
): Promise<ChargedUse | undefined> {
  return database.write(RECORD_STORES, (transaction) =>
    withdraw(transaction, transactionId, (earlier) => earlier < attempt),
  );
}

/**
 * Reverses an event that was not delivered, unless a later attempt of its request has replaced it. Returns whether it was
 * still recorded.
 */
export async function reverseEvent(database: LedgerDatabase, event: NewEvent): Promise<boolean> {
  const reversed = await database.write(RECORD_STORES, (transaction) =>
    withdraw(transaction, event.transaction_id, (attempt) => attempt === attemptOf(event)),
  );
  return reversed !== undefined;
}

/**
 * Returns what is charged no longer.
 *
 * @param isReversed the attempts of which nothing may stay recorded
 */
async function withdraw(
  transaction: LedgerTransaction,
  transactionId: string,
  isReversed: (attempt: number) => boolean,
): Promise<ChargedUse | undefined> {
  const inflight = await transaction.objectStore("inflight").get(transactionId);
  const isDropped = inflight !== undefined && isReversed(attemptOf(inflight));
  if (isDropped) await transaction.objectStore("inflight").delete(transactionId);
  const event = await transaction.objectStore("events").get(transactionId);
  if (!event) return isDropped && isValidRow("inflight", inflight) ? chargedUse(inflight) : undefined;
  if (!isValidRow("events", event) || event.voided || !isReversed(attemptOf(event))) return undefined;
  const { open_from_ms } = await readAccountMeta(transaction, event.account);
  if (event.time_ms < open_from_ms) return undefined;
  await transaction.objectStore("events").delete(transactionId);
  await subtractFromRollups(transaction, event);
  return chargedUse(event);
}

/** Zero for a request that was sent once. */
export function attemptOf({ attempt = 0 }: { attempt?: number }): number {
  return attempt;
}
