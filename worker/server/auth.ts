/** Composes API keys and their limits for one server. */

import type { KeysEndpoint } from "../../src/protocol/keys.ts";
import type { Clock } from "../clock.ts";
import { lazyRpc } from "../rpc/lazy-rpc.ts";
import { usagePricing } from "../usage/billing/price-usage.ts";
import type { Aliases } from "../usage/billing/rate-card.ts";
import { KeyDatabase } from "../usage/keys/key-database.ts";
import { KeyRing } from "../usage/keys/key-ring.ts";
import { KeyStore } from "../usage/keys/key-store.ts";
import { Limiter } from "../usage/keys/limiter.ts";
import { createAccount, DEFAULT_ACCOUNT } from "../usage/ledger/accounts.ts";
import { readCharged } from "../usage/ledger/charged.ts";
import type { LedgerDatabase } from "../usage/ledger/database.ts";
import type { LedgerLocks } from "../usage/ledger/locks.ts";

interface AuthServices {
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

interface Auth {
  keys: KeyRing;
  limiter: Limiter;
  rpc: KeysEndpoint;
}

/** The database is opened lazily, by the first key that is not a page's own. */
export function openAuth({ name, clock, locks, workerLock, ledger, aliases }: AuthServices): Auth {
  const store = new KeyStore(new KeyDatabase(name));
  const openAccount = async (id: string): Promise<void> => {
    // Every ledger has the default account, so a broken ledger does not prevent creating a key for it.
    if (ledger && id !== DEFAULT_ACCOUNT) await createAccount(ledger, clock, { id, name: id });
  };
  const limiter = new Limiter({
    store,
    clock,
    owner: workerLock,
    isDead: async (owner) => (await locks.ifFree(owner, async () => true)) ?? false,
    async charged(requestId) {
      if (ledger) return readCharged(ledger, requestId);
      throw new Error("There is no ledger.");
    },
    price: usagePricing(ledger, clock, aliases),
  });
  return {
    keys: new KeyRing({ store, clock, openAccount }),
    limiter,
    rpc: lazyRpc("keys", async () => {
      const { keysRpc } = await import("../rpc/keys.ts");
      return keysRpc({ store, clock, openAccount, limiter });
    }),
  };
}
