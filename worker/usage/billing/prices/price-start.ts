/** Where a new price may start: no hour with usage ever gets another price, whatever the clock showed. */

import { readRollups } from "../../ledger/rollups.ts";
import { isValidRow } from "../../ledger/row-schemas.ts";
import {
  HOUR_MS,
  LAST_MS,
  type LedgerTransaction,
  type RateRow,
  type RollupRow,
} from "../../ledger/schema.ts";
import { type Aliases, priceNames, RateCard } from "./rate-card.ts";

/** Marks rows that keep the price of an hour with usage, between two rows of a newer price. */
const KEPT = "kept";

/** More hours than a wrong clock leaves; a price then starts after all of them. */
const MAX_KEPT_HOURS = 100;

/** No price: marks what a row would apply to. */
const MARK = -1n;

/** Adds prices to the rate card of one transaction. */
export class PriceStarts {
  readonly #transaction: LedgerTransaction;
  readonly #aliases: Aliases;
  /** All valid rows of the card by time, up to date. */
  #rows: RateRow[];

  private constructor(transaction: LedgerTransaction, aliases: Aliases, rows: RateRow[]) {
    this.#transaction = transaction;
    this.#aliases = aliases;
    this.#rows = rows;
  }

  static async read(transaction: LedgerTransaction, aliases: Aliases): Promise<PriceStarts> {
    const rows = (await transaction.objectStore("rates").getAll()).filter((row) => isValidRow("rates", row));
    return new PriceStarts(transaction, aliases, rows);
  }

  /** Rows of the card, by product, model, tier and time. */
  get rows(): readonly RateRow[] {
    return this.#rows;
  }

  /** The first hour from `fromMs` on at which the price may start: without usage, and without another start. */
  async firstFree(price: Omit<RateRow, "effective_ms">, fromMs: number): Promise<number> {
    for (let hour = fromMs; ; ) {
      const row = { ...price, effective_ms: hour };
      if ((await this.isTaken(row)) || (await this.hasUsage(row))) {
        hour += HOUR_MS;
        continue;
      }
      const used = await this.#pricesOfUsed(row);
      if (isKeepable(used)) return hour;
      hour = Math.max(...used.keys()) + HOUR_MS;
    }
  }

  /** Whether another price of the same product, model and tier starts at that hour. */
  async isTaken({ product_id, model, tier, effective_ms }: RateRow): Promise<boolean> {
    const store = this.#transaction.objectStore("rates");
    return (await store.getKey([product_id, model, tier, effective_ms])) !== undefined;
  }

  /** Whether the hour in which the price starts has usage, by any account, that it may apply to. */
  async hasUsage(row: RateRow): Promise<boolean> {
    return (await this.#usage(row, row.effective_ms + HOUR_MS)).length > 0;
  }

  /**
   * Adds the price. Later hours with usage, from when the clock was ahead, keep theirs.
   *
   * @returns what was added; nothing if they cannot: they have several prices, or are too many
   */
  async add(row: RateRow): Promise<RateRow[]> {
    const used = await this.#pricesOfUsed(row);
    if (!isKeepable(used)) return [];
    const untilMs = this.#nextStart(row);
    const added = [row];
    const hours = [...used.keys()].filter((hour) => !used.get(hour)!.has(row.unit_price_pico));
    for (const hour of hours.sort((a, b) => a - b)) {
      const [unit_price_pico] = used.get(hour) as Set<string>;
      added.push({ ...row, effective_ms: hour, unit_price_pico: unit_price_pico!, note: KEPT });
      const end = hour + HOUR_MS;
      if (end < untilMs && !hours.includes(end)) added.push({ ...row, effective_ms: end });
    }
    for (const one of added) await this.#transaction.objectStore("rates").put(one);
    this.#rows = [...this.#rows, ...added].sort((a, b) => a.effective_ms - b.effective_ms);
    return added;
  }

  /** By hour with usage from the start of `row` on: the prices now of what it would apply to. */
  async #pricesOfUsed(row: RateRow): Promise<Map<number, Set<string>>> {
    const usage = await this.#usage(row, this.#nextStart(row));
    if (usage.length === 0) return new Map();
    const card = new RateCard(this.#rows, this.#aliases);
    const marked = { ...row, unit_price_pico: String(MARK) };
    const after = new RateCard([...this.#rows, marked], this.#aliases);
    const found = new Map<number, Set<string>>();
    for (const used of usage) {
      if (priceIn(after, used) !== MARK) continue;
      found.set(used.hour_ms, (found.get(used.hour_ms) ?? new Set()).add(String(priceIn(card, used))));
    }
    return found;
  }

  /** Roll-ups from the start of `row` to `untilMs`, of all accounts, that may have its price. */
  async #usage(row: RateRow, untilMs: number): Promise<RollupRow[]> {
    const found: RollupRow[] = [];
    for (const account of await this.#transaction.objectStore("accounts").getAllKeys()) {
      for (const used of await readRollups(this.#transaction, account, row.effective_ms, untilMs)) {
        if (used.product_id !== row.product_id || used.tier !== row.tier) continue;
        if (priceNames(used, this.#aliases).includes(row.model)) found.push(used);
      }
    }
    return found;
  }

  /** When the next row of the same product, model and tier starts. */
  #nextStart({ product_id, model, tier, effective_ms }: RateRow): number {
    const later = this.#rows.filter(
      (one) =>
        one.product_id === product_id &&
        one.model === model &&
        one.tier === tier &&
        one.effective_ms > effective_ms,
    );
    return Math.min(LAST_MS, ...later.map((one) => one.effective_ms));
  }
}

function isKeepable(used: ReadonlyMap<number, ReadonlySet<string>>): boolean {
  return used.size <= MAX_KEPT_HOURS && [...used.values()].every((prices) => prices.size === 1);
}

function priceIn(card: RateCard, used: RollupRow): bigint {
  return card.segments(used, used.hour_ms, used.hour_ms + HOUR_MS)[0]!.unitPricePico;
}
