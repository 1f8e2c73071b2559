import type { Clock } from "../../../clock.ts";
import type { ChargedUse } from "../../ledger/charged.ts";
import type { LedgerDatabase } from "../../ledger/database.ts";
import { hourOf, quantitiesOf } from "../../ledger/products.ts";
import { type Aliases, RateCard } from "./rate-card.ts";

/** Cost of usage in pico-USD at the prices of its hour, as on an invoice; 0 if the ledger is unavailable. */
export function usagePricing(
  database: LedgerDatabase | undefined,
  clock: Clock,
  aliases: Aliases = () => [],
): (used: ChargedUse) => Promise<bigint> {
  const readCard = shared(async () =>
    database?.read(["rates"], (all) => RateCard.read(all, aliases)).catch(() => undefined),
  );
  return async (used) => {
    const { model, tier } = used;
    const hourMs = hourOf(used.timeMs ?? clock.now());
    const card = await readCard();
    if (!card) return 0n;
    return quantitiesOf(used).reduce((sum, [product_id, quantity]) => {
      const [price] = card.segments({ product_id, model, tier }, hourMs, hourMs + 1);
      return sum + BigInt(quantity) * price!.unitPricePico;
    }, 0n);
  };
}

/** Calls that come while `read` runs share the next run: of many requests at once, each would cost a transaction. */
function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  const run = (): Promise<T> => {
    next = undefined;
    const running = read();
    last = running;
    return running;
  };
  return () => (next ??= last.then(run, run));
}
