/** Messages between pages, broker and service worker. Ports are transferred, never relayed. */

import { PROTOCOL_VERSION } from "../protocol/wire.ts";

/**
 * - `call`: the leader responds on `port`, transferring a port to the server worker. `isServiceWorker`: the caller is
 *   a service worker, whose requests may have the key of any page.
 * - `lead`: from a page, that it leads now; to a page, that there is a leader to call.
 * - `hello`: to a page, with the Web Lock that the broker holds for life.
 * - `join`: from a page, with the Web Lock that it holds while it uses the broker.
 * - `leave`: from a page that no longer needs a broker.
 */
export type BrokerMessage =
  | { type: "call"; port: MessagePort; isServiceWorker?: boolean }
  | { type: "lead" }
  | { type: "hello"; lock: string }
  | { type: "join"; lock: string }
  | { type: "leave" };

/** The same over a service worker, which serves several scopes. */
export type ScopedMessage = BrokerMessage & { infetch: string };

const LEADER_PREFIX = `infetch:${PROTOCOL_VERSION}:leader:`;

/**
 * Name of the leader's Web Lock, and of the broker. Pages of one scope share one server: same ledger, compatible
 * options, same protocol version.
 *
 * @param digest hash of those options
 */
export function scopeOf(storageName: string, digest: string): string {
  return `${LEADER_PREFIX}${storageName}:${digest}`;
}

/** Name of the lock and the channel of a scope's pages with private servers, by which service workers find them. */
export function privateScopeOf(scope: string): string {
  return `${scope}:alone`;
}

/** Common prefix of this ledger's scopes, for any build. */
export function scopePrefix(storageName: string): string {
  return `${LEADER_PREFIX}${storageName}:`;
}
