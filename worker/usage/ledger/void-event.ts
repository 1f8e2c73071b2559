import { readAccountMeta } from "./accounts.ts";
import type { LedgerDatabase } from "./database.ts";
import { LedgerError } from "./ledger-error.ts";
import { RECORD_STORES } from "./record.ts";
import { subtractFromRollups } from "./rollups.ts";
import { isValidRow } from "./row-schemas.ts";
import type { EventRow } from "./schema.ts";

/**
 * Voids an event in an open period. The row stays, marked, so that its id is never recorded again.
 *
 * @param isOpen whether an event with this billing time may still change
 * @throws {LedgerError} `event_not_found`; `invalid_transition` for a closed period or a voided event
 */
export function voidEvent(
  database: LedgerDatabase,
  transactionId: string,
  isOpen: (timeMs: number) => boolean,
): Promise<EventRow> {
  return database.write(RECORD_STORES, async (transaction) => {
    const events = transaction.objectStore("events");
    // What is no string may be no key either, for which IndexedDB throws.
    const event = typeof transactionId === "string" ? await events.get(transactionId) : undefined;
    if (!event || !isValidRow("events", event))
      throw new LedgerError("event_not_found", `The event '${transactionId}' does not exist.`);
    const { open_from_ms } = await readAccountMeta(transaction, event.account);
    if (event.voided)
      throw new LedgerError("invalid_transition", `The event '${transactionId}' is already voided.`);
    if (event.time_ms < open_from_ms || !isOpen(event.time_ms)) {
      const message = `The billing period of the event '${transactionId}' is closed: void its invoice.`;
      throw new LedgerError("invalid_transition", message);
    }
    const voided: EventRow = { ...event, voided: true };
    await transaction.objectStore("events").put(voided);
    await subtractFromRollups(transaction, event);
    return voided;
  });
}
