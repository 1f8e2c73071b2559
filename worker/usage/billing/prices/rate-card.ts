/** Prices by product, model, tier and hour. */

import { groupBy } from "../../../../src/shared/group-by.ts";
import { isValidRow } from "../../ledger/row-schemas.ts";
import type { LedgerTransaction, ProductId, RateRow } from "../../ledger/schema.ts";
import { sizeClassOf } from "./size-class.ts";

interface PricedThing {
  product_id: ProductId;
  model: string;
  tier: string;
}

/** One price and the part of a period in which it applies. */
interface PriceSegment {
  startMs: number;
  endMs: number;
  unitPricePico: bigint;
}

/** The aliases of a model, which share its price. */
export type Aliases = (model: string) => readonly string[];

/** Names that a price is looked up by: the model's own, its aliases, and its size class. */
export function priceNames({ model, product_id }: Omit<PricedThing, "tier">, aliases: Aliases): string[] {
  return [model, ...aliases(model), sizeClassOf(model, product_id)];
}

export class RateCard {
  readonly #rows: ReadonlyMap<string, RateRow[]>;
  readonly #aliases: Aliases;

  constructor(rows: readonly RateRow[], aliases: Aliases) {
    this.#aliases = aliases;
    const ascending = [...rows].sort((a, b) => a.effective_ms - b.effective_ms);
    this.#rows = groupBy(ascending, priceKey);
  }

  static async read(transaction: LedgerTransaction, aliases: Aliases): Promise<RateCard> {
    const rows = await transaction.objectStore("rates").getAll();
    return new RateCard(
      rows.filter((row) => isValidRow("rates", row)),
      aliases,
    );
  }

  /** The prices in `[startMs, endMs)` in order, without gaps. Usage without a rate is metered and free. */
  segments(thing: PricedThing, startMs: number, endMs: number): PriceSegment[] {
    const names = priceNames(thing, this.#aliases);
    const lists = names.flatMap((model) => [this.#rows.get(priceKey({ ...thing, model })) ?? []]);
    const rowAt = (timeMs: number): RateRow | undefined => {
      for (const rows of lists) {
        const row = rows.findLast(({ effective_ms }) => effective_ms <= timeMs);
        if (row) return row;
      }
      return undefined;
    };
    const changes = lists
      .flat()
      .map(({ effective_ms }) => effective_ms)
      .filter((timeMs) => timeMs > startMs && timeMs < endMs)
      .sort((a, b) => a - b);
    const prices = [{ from: startMs, row: rowAt(startMs) }];
    for (const from of changes) {
      const row = rowAt(from);
      if (row !== prices.at(-1)!.row) prices.push({ from, row });
    }
    return prices.map(({ from, row }, at) => ({
      startMs: from,
      endMs: prices[at + 1]?.from ?? endMs,
      unitPricePico: BigInt(row?.unit_price_pico ?? "0"),
    }));
  }
}

/** Key of a price in a map. */
export function priceKey({ product_id, model, tier }: PricedThing): string {
  return JSON.stringify([product_id, model, tier]);
}
