/** Resolves the `model` of a request: a catalogue model, a deployment, or a hub model. */

import type { Tier } from "../../src/protocol/rpc/billing.ts";
import type { Catalog } from "./catalog.ts";
import { canonicalName } from "./hub/hub-name.ts";
import type { CatalogRecord } from "./model-record.ts";

/** The model that a request runs on. */
export interface ResolvedModel<Model extends CatalogRecord = CatalogRecord> {
  /** As named in the request and the response. */
  name: string;
  record: Model;
  /** Tier of its usage. */
  tier: Tier;
}

/**
 * All matches of `name`; more than one only for a hub model with several deployments. A batch runs any hub model
 * without a deployment.
 */
export function resolveModel(catalog: Catalog, name: string, isBatch: boolean): ResolvedModel[] {
  const own = catalog.find(name);
  if (own)
    return [{ name, record: own, tier: isBatch ? "batch" : own.deployment ? "dedicated" : "serverless" }];
  const fromHub = isBatch ? catalog.fromHub(name) : undefined;
  if (fromHub) return [{ name, record: fromHub, tier: "batch" }];
  const canonical = canonicalName(name);
  return catalog
    .list()
    .filter(({ deployment }) => deployment && canonicalName(deployment.model) === canonical)
    .map((record) => ({ name, record, tier: "dedicated" }));
}
