/**
 * `infetch/keys`: types of `runtime.keys`. There is nothing to import at run time.
 *
 * @example
 * import type { KeyLimits } from "infetch/keys";
 *
 * @module
 */

import type { ApiKey, CreatedKey, KeyRequest, KeyRotation } from "../protocol/rpc/keys.ts";

export type {
  ApiKey,
  ApiKeyUsage,
  CreatedKey,
  KeyLimits,
  KeyRequest,
  KeyRotation,
} from "../protocol/rpc/keys.ts";

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
