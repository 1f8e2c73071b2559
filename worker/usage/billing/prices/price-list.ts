/** Converts the app's `pricing` option to rate card rows. */

import type { ModelPrices, Pricing, Tier, TierPrices } from "../../../../src/protocol/rpc/billing.ts";
import { groupBy } from "../../../../src/shared/group-by.ts";
import type { Clock } from "../../../clock.ts";
import { hourOf, PRODUCT_IDS, TIERS } from "../../ledger/products.ts";
import { HOUR_MS, type LedgerTransaction, type ProductId, type RateRow } from "../../ledger/schema.ts";
import { pricePerToken } from "../money.ts";
import { DEFAULT_PRICES } from "./default-prices.ts";
import { PriceStarts } from "./price-start.ts";
import { type Aliases, priceKey, priceNames } from "./rate-card.ts";

/** Marks rows from the configuration, to distinguish them from scheduled ones. */
const CONFIGURED = "configured";

const PRICE_FIELD: Record<ProductId, keyof TierPrices> = {
  "text-input-tokens": "input",
  "text-cached-input-tokens": "cachedInput",
  "text-output-tokens": "output",
  "embedding-input-tokens": "embedding",
};

type Price = Pick<RateRow, "product_id" | "model" | "tier" | "unit_price_pico">;

/**
 * All prices in the option, one per product and tier.
 *
 * @throws {RangeError} for a price that is not a whole number of pico-USD per token
 */
export function pricesOf(pricing: Pricing): Price[] {
  if (pricing === "none") return [];
  const table = pricing === "default" ? DEFAULT_PRICES : pricing;
  return Object.entries(table).flatMap(([model, prices]) =>
    // Upstream prices are unknown here, so size classes do not apply to them.
    TIERS.filter((tier) => tier !== "upstream" || !model.startsWith("*")).flatMap((tier) =>
      PRODUCT_IDS.flatMap((product_id) => {
        const pico = priceOf(prices, PRICE_FIELD[product_id], tier);
        return pico === undefined ? [] : [{ product_id, model, tier, unit_price_pico: String(pico) }];
      }),
    ),
  );
}

/** A tier without its own price uses the serverless one; batch embeddings cost half of it. */
function priceOf(prices: ModelPrices, field: keyof TierPrices, tier: Tier): bigint | undefined {
  const own = tier === "serverless" ? undefined : prices[tier];
  const stated = own?.[field];
  if (stated !== undefined) return pricePerToken(stated);
  const uncached = field === "cachedInput" ? own?.input : undefined;
  if (uncached !== undefined && prices.cachedInput === undefined) return pricePerToken(uncached);
  const listed = prices[field] ?? (field === "cachedInput" ? prices.input : undefined);
  if (listed === undefined) return undefined;
  const serverless = pricePerToken(listed);
  if (tier !== "batch" || field !== "embedding") return serverless;
  return halfOf(serverless);
}

/** @throws {RangeError} for an odd price, whose half has too many decimals */
export function halfOf(pico: bigint): bigint {
  if (pico % 2n === 0n) return pico / 2n;
  throw new RangeError(
    "The embedding price must have an exact half with six decimals: batches cost half of it.",
  );
}

/**
 * Updates the rate card to the configuration. A changed price applies from its first hour without usage, so that no
 * hour has two prices; on a ledger without usage, from the beginning.
 */
export async function applyPricing(
  transaction: LedgerTransaction,
  pricing: Pricing,
  clock: Clock,
  aliases: Aliases = () => [],
): Promise<void> {
  const starts = await PriceStarts.read(transaction, aliases);
  const configured = new Map(pricesOf(pricing).map((price) => [priceKey(price), price]));
  const known = groupBy(starts.rows.filter(isConfigured), priceKey);
  const gone = new Map<string, Price>();
  for (const [key, [row]] of known) {
    if (configured.has(key) || !row) continue;
    // Falls back to the model's aliases, then to its size class, then to zero.
    const [, ...names] = priceNames(row, aliases);
    const other = names.map((model) => configured.get(priceKey({ ...row, model }))).find((price) => price);
    gone.set(key, { ...row, unit_price_pico: other?.unit_price_pico ?? "0" });
  }
  const isUnused = !(await transaction.objectStore("rollups").openKeyCursor());
  for (const [key, price] of [...configured, ...gone]) {
    const { product_id, model, tier, unit_price_pico } = price;
    const row = { product_id, model, tier, unit_price_pico, note: CONFIGURED };
    const rows = known.get(key);
    if (isUnused && !rows) await transaction.objectStore("rates").put({ ...row, effective_ms: 0 });
    else await applyPrice(starts, row, rows ?? [], hourOf(clock.now()));
  }
}

/**
 * Makes a price hold from now on, also after each start of another one that a clock ahead of time has left.
 *
 * @param rows the configured ones of its product, model and tier, by time
 */
async function applyPrice(
  starts: PriceStarts,
  price: Omit<RateRow, "effective_ms">,
  rows: readonly RateRow[],
  hourMs: number,
): Promise<void> {
  const isOther = (row: RateRow | undefined) => row?.unit_price_pico !== price.unit_price_pico;
  let known = rows;
  const isOtherAt = (timeMs: number) => isOther(known.findLast((row) => row.effective_ms <= timeMs));
  const later = rows.filter((row) => row.effective_ms > hourMs && isOther(row));
  for (const fromMs of [hourMs, ...later.map((row) => row.effective_ms + HOUR_MS)]) {
    if (!isOtherAt(fromMs)) continue;
    const effective_ms = await starts.firstFree(price, fromMs);
    if (!isOtherAt(effective_ms)) continue;
    const added = (await starts.add({ ...price, effective_ms })).filter(isConfigured);
    known = [...known, ...added].sort((a, b) => a.effective_ms - b.effective_ms);
  }
}

function isConfigured({ note }: RateRow): boolean {
  return note === CONFIGURED;
}
