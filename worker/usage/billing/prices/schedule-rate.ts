import { LedgerError } from "../../ledger/ledger-error.ts";
import { hourOf } from "../../ledger/products.ts";
import { HOUR_MS, type LedgerTransaction, type RateRow } from "../../ledger/schema.ts";
import { halfOf } from "./price-list.ts";
import { PriceStarts } from "./price-start.ts";
import type { Aliases } from "./rate-card.ts";

/**
 * Schedules one price. A serverless price of embeddings also schedules half of it for batches.
 *
 * @throws {LedgerError} `invalid_rate` for a time in the past, not on a UTC hour, in an hour with usage of the
 * product or with a price already, or if later hours with usage cannot keep their price
 * @throws {RangeError} for an embeddings price without an exact half
 */
export async function scheduleRate(
  transaction: LedgerTransaction,
  row: RateRow,
  nowMs: number,
  aliases: Aliases,
): Promise<void> {
  const halved = row.product_id === "embedding-input-tokens" && row.tier === "serverless";
  await addRate(transaction, row, nowMs, aliases);
  if (!halved) return;
  const unit_price_pico = String(halfOf(BigInt(row.unit_price_pico)));
  await addRate(transaction, { ...row, tier: "batch", unit_price_pico }, nowMs, aliases);
}

async function addRate(
  transaction: LedgerTransaction,
  row: RateRow,
  nowMs: number,
  aliases: Aliases,
): Promise<void> {
  const starts = await PriceStarts.read(transaction, aliases);
  const { effective_ms } = row;
  const refuse = (why: string): never => {
    throw new LedgerError("invalid_rate", `Invalid 'effectiveAt': ${why}.`);
  };
  if (effective_ms % HOUR_MS !== 0) refuse("a price must start at a full UTC hour");
  if (effective_ms < hourOf(nowMs)) refuse("a price must not start in the past");
  if (await starts.hasUsage(row)) refuse("that hour already has usage");
  if (await starts.isTaken(row)) refuse("another price already starts at that hour");
  const added = await starts.add(row);
  if (added.length === 0) refuse("too many later hours already have usage, or at several prices");
}
