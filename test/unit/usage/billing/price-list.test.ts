import { expect, test } from "vitest";
import { requirePricing } from "../../../../src/options/check-pricing.ts";
import type { PriceTable } from "../../../../src/protocol/rpc/billing.ts";
import { DEFAULT_PRICES } from "../../../../worker/usage/billing/prices/default-prices.ts";
import { pricesOf } from "../../../../worker/usage/billing/prices/price-list.ts";

const byTier = (table: PriceTable, product: string) =>
  Object.fromEntries(
    pricesOf(table)
      .filter((price) => price.product_id === product)
      .map((price) => [price.tier, price.unit_price_pico]),
  );

test("tiers without a price of their own take the serverless one; batch embeddings half of it", () => {
  expect(byTier({ m: { output: "0.2", batch: { output: "0.1" } } }, "text-output-tokens")).toEqual({
    serverless: "200000",
    dedicated: "200000",
    batch: "100000",
    upstream: "200000",
  });
  expect(byTier({ m: { embedding: "0.01" } }, "embedding-input-tokens")).toEqual({
    serverless: "10000",
    dedicated: "10000",
    batch: "5000",
    upstream: "10000",
  });
  expect(byTier({ m: { input: "0.05" } }, "text-cached-input-tokens").serverless).toBe("50000");
  expect(byTier({ m: { upstream: { input: "1" } } }, "text-cached-input-tokens")).toEqual({
    upstream: "1000000",
  });
  expect(byTier({ m: { input: "0.05" } }, "text-output-tokens")).toEqual({});
});

test("the default rate card is valid, and none has no prices", () => {
  expect(requirePricing(DEFAULT_PRICES)).toBe(DEFAULT_PRICES);
  expect(pricesOf("default").length).toBeGreaterThan(0);
  expect(pricesOf("none")).toEqual([]);
});

test.each<[unknown, RegExp]>([
  [{ m: { input: -1 } }, /pricing\["m"\].input/],
  [{ m: { batch: { output: "0.0000001" } } }, /batch.output/],
  [{ m: { embedding: "0.000001" } }, /batch.embedding is required/],
  [{ m: { output: 1e-7 } }, /output/],
  [7, /table/],
])("%j is refused before a server starts", (pricing, message) => {
  expect(() => requirePricing(pricing as PriceTable)).toThrow(message);
});
