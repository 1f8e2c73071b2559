import type { LedgerDatabase } from "./database.ts";
import { isValidRow } from "./row-schemas.ts";
import type { EventRow, InflightRow } from "./schema.ts";

/** What one request was charged for. */
export interface ChargedUse {
  endpoint: string;
  tier: string;
  model: string;
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
  /** When it was used. @default now */
  timeMs?: number;
  /** The attempt of the request that is charged. @default the first, 0 */
  attempt?: number;
}

/**
 * What a request of a dead worker is charged for: its event, or else its last checkpoint. Undefined if nothing is.
 *
 * @throws {LedgerError}
 */
export function readCharged(
  database: LedgerDatabase,
  transactionId: string,
): Promise<ChargedUse | undefined> {
  return database.read(["events", "inflight"], async (transaction) => {
    const event = await transaction.objectStore("events").get(transactionId);
    const row = event ?? (await transaction.objectStore("inflight").get(transactionId));
    if (!isValidRow(event ? "events" : "inflight", row)) return undefined;
    return row && chargedUse(row);
  });
}

/** What an event charges, or a checkpoint of a dead worker: that one nothing if no token was read. */
export function chargedUse(row: Omit<EventRow, "recorded_ms"> | InflightRow): ChargedUse | undefined {
  const isEvent = "occurred_ms" in row;
  if (!isEvent && row.output_tokens === 0) return undefined;
  const { attempt, endpoint, tier, model, input_tokens, cached_tokens, output_tokens } = row;
  return {
    endpoint,
    tier,
    model,
    inputTokens: input_tokens,
    cachedTokens: cached_tokens,
    outputTokens: output_tokens,
    // Not the event's billing time, which may be later: of a period that is still open.
    timeMs: isEvent ? row.occurred_ms : row.checkpoint_ms,
    ...(attempt ? { attempt } : {}),
  };
}

interface Attempt {
  attempt?: number;
}

/** Whether `one` is a later attempt of the same request than `other`. Its own server counts it. */
export function isLater({ attempt: one = 0 }: Attempt, { attempt: other = 0 }: Attempt): boolean {
  return one > other;
}
