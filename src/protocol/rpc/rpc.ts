/** RPC groups: server calls outside HTTP. Each group is a property of the {@link ServerEndpoint}. */

import type { BillingEndpoint } from "./billing-endpoint.ts";
import type { DeploymentsEndpoint } from "./deployments.ts";
import type { KeysEndpoint } from "./keys.ts";
import type { ModelsEndpoint } from "./models.ts";
import type { Result } from "./result.ts";

/** RPC calls carry no key and are not reachable through `/v1`. */
export interface Rpc {
  /** The ledger; every call fails with `billing_not_configured` if billing is disabled. */
  billing: BillingEndpoint;
  /** The keys of this origin. */
  keys: KeysEndpoint;
  /** Models under your own names and settings. */
  deployments: DeploymentsEndpoint;
  /** The models on this device. */
  models: ModelsEndpoint;
}

/** Client view of a group: results unwrapped, errors thrown. */
export type CallsOf<Endpoint> = {
  [Name in keyof Endpoint]: Endpoint[Name] extends (...values: infer Values) => Promise<Result<infer Value>>
    ? (...values: Values) => Promise<Value>
    : never;
};

/** Methods of each group. The page builds its client from them; the server, stubs until the group is loaded. */
export const RPC_METHODS = {
  billing: [
    "usage",
    "closeDuePeriods",
    "voidInvoice",
    "regenerateInvoice",
    "voidEvent",
    "grantCredit",
    "credits",
    "scheduleRate",
    "exportUsage",
    "importUsage",
    "verify",
    "rebuild",
  ],
  keys: ["create", "list", "revoke", "rotate"],
  deployments: ["create", "list", "get", "delete"],
  models: ["load", "unload", "cancel", "cached", "delete", "verify", "storage", "support"],
} as const satisfies { [Group in keyof Rpc]: readonly (keyof Rpc[Group])[] };
