/** Composes API keys and their limits for one server. */

import type { KeysEndpoint } from "../../src/protocol/rpc/keys.ts";
import { requestIdOf } from "../../src/protocol/transfer/request-state.ts";
import { keyOf } from "../http/authenticate.ts";
import { loadPart } from "../lazy/part.ts";
import { lazyRpc } from "../rpc/lazy-rpc.ts";
import { KeyRing } from "../usage/keys/key-ring.ts";
import type { Limiter } from "../usage/keys/limiter.ts";
import { createAccount, DEFAULT_ACCOUNT } from "../usage/ledger/accounts.ts";
import type { ChargedUse } from "../usage/ledger/charged.ts";
import type { CreatedKeys, CreatedKeysServices } from "./created-keys.ts";

interface Auth {
  keys: KeyRing;
  /** @throws {PartError} */
  limiter(): Promise<Limiter>;
  /** Call when the ledger has reversed usage of a resent request, before the request is admitted. Never rejects. */
  onReversal(request: Request, used: ChargedUse): Promise<void>;
  rpc: KeysEndpoint;
}

/** What keys created with `runtime.keys` need is loaded by the first key that is not a page's own. */
export function openAuth(services: CreatedKeysServices): Auth {
  const { clock, ledger } = services;
  let opened: CreatedKeys | undefined;
  /** By request id: what was reversed before the part has loaded. */
  const reversed = new Map<string, ChargedUse>();
  const created = async (): Promise<CreatedKeys> => {
    const { openCreatedKeys } = await loadPart(() => import("./created-keys.ts"));
    // One instance, as it has state.
    opened ??= openCreatedKeys(services);
    for (const [id, used] of reversed) opened.limiter.onReversal(id, used);
    reversed.clear();
    return opened;
  };
  const openAccount = async (id: string): Promise<void> => {
    // Every ledger has the default account, so a broken ledger does not prevent creating a key for it.
    if (ledger && id !== DEFAULT_ACCOUNT) await createAccount(ledger, clock, { id, name: id });
  };
  const keys = new KeyRing({ find: async (id) => (await created()).store.find(id), clock, openAccount });
  return {
    keys,
    limiter: async () => (await created()).limiter,
    async onReversal(request, used) {
      if (keys.isOfPage(keyOf(request) ?? "")) return;
      reversed.set(requestIdOf(request), used);
      // Where it does not load, the request is refused, unless it loads for that request's key.
      await created().catch(() => {});
    },
    rpc: lazyRpc("keys", async () => {
      const { keysRpc } = await import("../rpc/keys.ts");
      return keysRpc({ ...(await created()), clock, openAccount });
    }),
  };
}
