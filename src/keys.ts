/** `runtime.keys`: API keys for clients other than this page. */

import type { Connection } from "./port/connection.ts";
import type { ApiKey, CreatedKey, KeyRequest, KeyRotation } from "./protocol/keys.ts";
import { createRpcClient } from "./rpc-client.ts";

/** Failed calls reject with a {@link KeyError}; see its `code`. */
export interface Keys {
  /**
   * Creates a key. Only this response contains its secret. Rejects with `invalid_argument`, or with
   * `ledger_unavailable` if a new account cannot be created.
   */
  create(request: KeyRequest): Promise<CreatedKey>;
  /** Lists all keys, oldest first, with scopes, limits and usage. Secrets are never included. */
  list(): Promise<ApiKey[]>;
  /** Revokes a key in every tab, effective with the next request. Rejects with `key_not_found`. */
  revoke(id: string): Promise<void>;
  /** Replaces a key's secret and keeps all else. Rejects with `key_not_found` or `invalid_argument`. */
  rotate(id: string, rotation?: KeyRotation): Promise<CreatedKey>;
}

export function createKeys(connect: () => Promise<Connection>): Keys {
  return createRpcClient(connect, "keys");
}
