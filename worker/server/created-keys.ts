/** Keys created with `runtime.keys`, and their limits: a part, as pages' own keys are in memory and have none. */

import type { Clock } from "../clock.ts";
import { usagePricing } from "../usage/billing/prices/price-usage.ts";
import type { Aliases } from "../usage/billing/prices/rate-card.ts";
import { KeyDatabase } from "../usage/keys/key-database.ts";
import { KeyStore } from "../usage/keys/key-store.ts";
import { Limiter } from "../usage/keys/limiter.ts";
import { readCharged } from "../usage/ledger/charged.ts";
import type { LedgerDatabase } from "../usage/ledger/database.ts";
import type { LedgerLocks } from "../usage/ledger/locks.ts";
import { reverseEarlier } from "../usage/ledger/record.ts";

export interface CreatedKeysServices {
  /** The key database is named `<name>-accounts`. */
  name: string;
  clock: Clock;
  locks: LedgerLocks;
  /** Web Lock that this worker holds for its lifetime. */
  workerLock: string;
  /** Absent if billing is off. */
  ledger: LedgerDatabase | undefined;
  /** Aliases of a model, which share its price. @default none */
  aliases?: Aliases;
}

export interface CreatedKeys {
  store: KeyStore;
  limiter: Limiter;
}

/** The database is opened by the first read. */
export function openCreatedKeys(services: CreatedKeysServices): CreatedKeys {
  const { name, clock, locks, workerLock, ledger, aliases } = services;
  const store = new KeyStore(new KeyDatabase(name));
  const limiter = new Limiter({
    store,
    clock,
    owner: workerLock,
    isDead: async (owner) => (await locks.ifFree(owner, async () => true)) ?? false,
    async charged(requestId) {
      if (ledger) return readCharged(ledger, requestId);
      throw new Error("There is no ledger.");
    },
    reverseEarlier: async (requestId, attempt) => ledger && reverseEarlier(ledger, requestId, attempt),
    price: usagePricing(ledger, clock, aliases),
  });
  return { store, limiter };
}
