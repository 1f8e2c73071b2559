/** Prices by product, model, tier and hour. */

import type { LedgerTransaction, RateRow } from "../ledger/schema.ts";

export interface PricedThing {
  product_id: string;
  model: string;
  tier: string;
}

/** One price and the part of a period in which it holds. */
export interface PriceSegment {
  startMs: number;
  endMs: number;
  unitPricePico: bigint;
}

export class RateCard {
  readonly #rows = new Map<string, RateRow[]>();

  constructor(rows: readonly RateRow[]) {
    const ascending = [...rows].sort((a, b) => a.effective_ms - b.effective_ms);
    for (const row of ascending) {
      const key = keyOf(row);
      this.#rows.set(key, [...(this.#rows.get(key) ?? []), row]);
    }
  }

  static async read(transaction: LedgerTransaction): Promise<RateCard> {
    return new RateCard(await transaction.objectStore("rates").getAll());
  }

  /** The prices of `[startMs, endMs)` in order, without gaps. What has no rate costs nothing, and is metered. */
  segments(thing: PricedThing, startMs: number, endMs: number): PriceSegment[] {
    const rows = this.#rows.get(keyOf(thing)) ?? [];
    const inside = rows.filter((row) => row.effective_ms > startMs && row.effective_ms < endMs);
    const before = rows.findLast((row) => row.effective_ms <= startMs);
    const prices = [{ from: startMs, pico: before?.unit_price_pico ?? "0" }];
    for (const row of inside) prices.push({ from: row.effective_ms, pico: row.unit_price_pico });
    return prices.map(({ from, pico }, at) => ({
      startMs: from,
      endMs: prices[at + 1]?.from ?? endMs,
      unitPricePico: BigInt(pico),
    }));
  }

  /** True if anything costs anything, ever. */
  get hasPrices(): boolean {
    return [...this.#rows.values()].flat().some((row) => row.unit_price_pico !== "0");
  }
}

function keyOf({ product_id, model, tier }: PricedThing): string {
  return JSON.stringify([product_id, model, tier]);
}
