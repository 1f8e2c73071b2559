import type { ModelPrices, Pricing, TierPrices, UsdPerMillion } from "../protocol/rpc/billing.ts";
import { isObject } from "../shared/is-object.ts";

const FIELDS = ["input", "cachedInput", "output", "embedding"] as const;
const TIERS = ["dedicated", "batch", "upstream"] as const;

/**
 * Validates a rate card. Six decimals of USD per million tokens are a whole number of pico-USD per token, so totals
 * are exact.
 *
 * @throws {TypeError} naming the price
 */
export function requirePricing(pricing: Pricing): Pricing {
  if (pricing === "default" || pricing === "none") return pricing;
  if (!isObject(pricing)) throw new TypeError(`pricing must be "default", "none" or a table of models.`);
  for (const [model, prices] of Object.entries(pricing)) requireModelPrices(model, prices);
  return pricing;
}

function requireModelPrices(model: string, prices: ModelPrices): void {
  requirePrices(`pricing["${model}"]`, prices, [...FIELDS, ...TIERS]);
  for (const tier of TIERS) requirePrices(`pricing["${model}"].${tier}`, prices[tier] ?? {}, FIELDS);
  // Batch embeddings cost half, and an odd sixth decimal has no exact half.
  const { embedding } = prices;
  if (embedding === undefined || prices.batch?.embedding !== undefined) return;
  if (/\.\d{5}[13579]0*$/.test(plain(embedding))) {
    throw new TypeError(
      `pricing["${model}"].batch.embedding is required: half of ${embedding} is not exact.`,
    );
  }
}

function requirePrices(where: string, prices: TierPrices, names: readonly string[]): void {
  if (typeof prices !== "object" || prices === null)
    throw new TypeError(`${where} must be an object of prices.`);
  const unknown = Object.keys(prices).find((name) => !names.includes(name));
  if (unknown) throw new TypeError(`${where}.${unknown} is unknown. Use ${names.join(", ")}.`);
  for (const field of FIELDS) {
    const price = prices[field];
    if (price === undefined || /^\d{1,9}(\.\d{1,6}0*)?$/.test(plain(price))) continue;
    throw new TypeError(`${where}.${field} must be at least 0, with at most 6 decimals.`);
  }
}

/** 0.000001 prints as is; smaller numbers print with an exponent, which the pattern rejects. */
function plain(price: UsdPerMillion): string {
  return String(price);
}
