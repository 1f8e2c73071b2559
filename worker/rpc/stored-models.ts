/** The models with files in browser storage, matched with the catalogue. */

import type { CachedModel } from "../../src/protocol/rpc/models.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { addressesOf } from "../catalog/model-addresses.ts";
import type { CatalogRecord } from "../catalog/model-record.ts";
import { resolveModel } from "../catalog/resolve.ts";
import { totalBytes } from "../engine-api/byte-sizes.ts";
import type { StoreEnvironment } from "../model-store/environment.ts";
import {
  groupByModel,
  isComplete,
  isModelFile,
  listEntries,
  type StoredEntry,
} from "../model-store/inventory.ts";

export interface StoredModelsServices {
  catalog: Catalog;
  environment: StoreEnvironment;
  /** As in {@link CachedModel}, of one model or deployment; undefined while it is not loaded. */
  retainedTokens(modelId: string): Promise<number | undefined>;
}

/** The models with files on this device, with the size of their files. */
export async function listStored(services: StoredModelsServices): Promise<CachedModel[]> {
  const models: CachedModel[] = [];
  for (const [model, entries] of await grouped(services)) {
    const files = entries.filter(isModelFile);
    // A model that was refused has a list of files alone.
    if (files.length === 0) continue;
    const whole = files.filter(({ isPart }) => !isPart);
    const bytes = totalBytes(whole);
    const partialBytes = totalBytes(files) - bytes;
    const complete = await isComplete(entries, services.environment);
    const retained = await retainedTokens(model, services);
    models.push({ model, bytes, partialBytes, files: whole.length, complete, ...retained });
  }
  return models;
}

/** The files of a model, also those stored under its aliases, without files shared with other models. */
export async function filesOf(id: string, services: StoredModelsServices): Promise<StoredEntry[]> {
  const record = recordOf(id, services.catalog);
  const { folders = [], shared = [] } = record ? addressesOf(record) : {};
  const groups = await grouped(services);
  const named = new Set(groups.get(id));
  for (const entries of groups.values()) {
    for (const entry of entries) {
      if (folders.some((folder) => entry.address.startsWith(folder))) named.add(entry);
    }
  }
  const users = (address: string): number =>
    [...groups.values()].filter((entries) => entries.some((entry) => entry.address === address)).length;
  return [...named].filter(({ address }) => !shared.includes(address) || users(address) === 1);
}

/** All that use the files of a model: deployments of one model share them. */
export function usersOf(id: string, catalog: Catalog): CatalogRecord[] {
  const record = recordOf(id, catalog);
  if (!record) return [];
  const ofBatches = catalog.fromHub(record.deployment?.model ?? id);
  const { folders } = addressesOf(record);
  const shares = (other: CatalogRecord) => addressesOf(other).folders.some((one) => folders.includes(one));
  return [...catalog.list(), ...(ofBatches ? [ofBatches] : [])].filter(shares);
}

/** The record of a model with its addresses, which deployments of one model share. */
export function recordOf(id: string, catalog: Catalog): CatalogRecord | undefined {
  return resolveModel(catalog, id, false)[0]?.record ?? catalog.fromHub(id);
}

async function grouped({ catalog, environment }: StoredModelsServices): Promise<Map<string, StoredEntry[]>> {
  return groupByModel(await listEntries(environment), catalog.list().map(addressesOf));
}

/** Tokens that the loaded engines of a model and its deployments retain. */
async function retainedTokens(
  model: string,
  services: StoredModelsServices,
): Promise<Pick<CachedModel, "retainedTokens">> {
  const records = services.catalog
    .list()
    .filter(({ id, deployment }) => id === model || deployment?.model === model);
  const counts = await Promise.all(records.map(({ id }) => services.retainedTokens(id)));
  const known = counts.filter((count) => count !== undefined);
  return known.length > 0 ? { retainedTokens: known.reduce((sum, count) => sum + count, 0) } : {};
}
