/** `runtime.models`: manages the models on this device. Errors are returned as data. */

import type {
  ModelsEndpoint,
  ModelVerification,
  StorageReport,
  UnloadOptions,
} from "../../src/protocol/rpc/models.ts";
import type { Result } from "../../src/protocol/rpc/result.ts";
import { abortable } from "../../src/shared/abortable.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { publishedHashes } from "../catalog/model-addresses.ts";
import type { CatalogRecord } from "../catalog/model-record.ts";
import { resolveModel } from "../catalog/resolve.ts";
import { allNames, requireOnly } from "../endpoints/model-names.ts";
import { decodeName } from "../engine-api/file-name.ts";
import { loadCancelled } from "../engines/scheduling/engine-entry.ts";
import { badRequest } from "../http/api-error.ts";
import { toApiError } from "../http/error-response.ts";
import { estimateOf } from "../model-store/cache/quota.ts";
import type { StoreEnvironment } from "../model-store/environment.ts";
import { isModelFile, type StoredEntry } from "../model-store/inventory.ts";
import { deleteEntries, verifyEntries } from "../model-store/maintenance.ts";
import { resultsWith } from "./result.ts";
import { filesOf, listStored, recordOf, type StoredModelsServices, usersOf } from "./stored-models.ts";
import { reportSupport, type SupportServices } from "./support.ts";

const asResult = resultsWith("ModelLoadError", toApiError);

export interface ModelsRpcServices extends SupportServices, StoredModelsServices {
  environment: StoreEnvironment & { storage: Pick<StorageManager, "estimate" | "persisted"> | undefined };
  /** Loads a model, or joins a load in progress. Rejects when the signal aborts. */
  load(model: CatalogRecord, signal: AbortSignal): Promise<void>;
  /** Terminates the model's engine, after its pending requests or at once. */
  unload(model: CatalogRecord, options?: UnloadOptions): Promise<void>;
  /** Cancels the load in progress for all of its callers. */
  cancel(model: CatalogRecord): void;
}

export function modelsRpc(services: ModelsRpcServices): ModelsEndpoint {
  const { catalog, environment } = services;
  const loads = new PageLoads(services);
  return {
    load: (id) => ofModel(id, () => loads.load(requireOne(id, catalog))),
    unload: (id, options) =>
      ofModel(id, async () => {
        await Promise.all(requireNamed(id, catalog).map((model) => services.unload(model, options)));
      }),
    cancel: (id) =>
      ofModel(id, async () => {
        for (const model of requireNamed(id, catalog)) loads.cancel(model);
      }),
    cached: () => asResult(() => listStored(services)),
    support: () => asResult(() => reportSupport(services)),
    delete: (id) =>
      ofModel(id, async () => {
        // A load in progress would go on storing files while they are listed.
        for (const model of usersOf(id, catalog)) loads.cancel(model);
        await deleteEntries(await requireFiles(id, services), environment);
      }),
    verify: (id) => ofModel(id, () => verify(id, services)),
    storage: () => asResult(() => reportStorage(services)),
  };
}

/** Pending `load` calls of pages, by model. */
class PageLoads {
  readonly #services: Pick<ModelsRpcServices, "catalog" | "load" | "cancel">;
  readonly #pending = new Map<string, Set<AbortController>>();

  constructor(services: Pick<ModelsRpcServices, "catalog" | "load" | "cancel">) {
    this.#services = services;
  }

  async load(listed: CatalogRecord): Promise<void> {
    const { catalog, load } = this.#services;
    const cancel = new AbortController();
    const pending = this.#pending.get(listed.id) ?? new Set();
    this.#pending.set(listed.id, pending.add(cancel));
    try {
      const model = await abortable(catalog.complete(listed), cancel.signal);
      await load(model, cancel.signal);
    } finally {
      pending.delete(cancel);
      if (pending.size === 0) this.#pending.delete(listed.id);
    }
  }

  cancel(model: CatalogRecord): void {
    this.#services.cancel(model);
    // Calls that still wait for a manifest, or for memory, have no load to cancel.
    for (const waiting of this.#pending.get(model.id) ?? [])
      waiting.abort(loadCancelled(model.id, "runtime.models.cancel() or delete() was called"));
  }
}

/** The one model that requests with this name run on. @throws {ApiError} */
function requireOne(name: string, catalog: Catalog): CatalogRecord {
  return requireOnly(resolveModel(catalog, name, false), name, () => allNames(catalog)).record;
}

/** All that this name runs on; for a hub model, its deployments and what batches load. @throws {ApiError} */
function requireNamed(name: string, catalog: Catalog): CatalogRecord[] {
  const found = resolveModel(catalog, name, false).map(({ record }) => record);
  const ofBatches = catalog.find(name) ? undefined : catalog.fromHub(name);
  const all = ofBatches ? [...found, ofBatches] : found;
  return all.length > 0 ? all : [requireOne(name, catalog)];
}

/** The files of a model, which must be known or stored. @throws {ApiError} */
async function requireFiles(id: string, services: ModelsRpcServices): Promise<StoredEntry[]> {
  const { catalog } = services;
  const files = await filesOf(id, services);
  if (files.length === 0 && resolveModel(catalog, id, false).length === 0) requireOne(id, catalog);
  return files;
}

async function verify(id: string, services: ModelsRpcServices): Promise<ModelVerification> {
  const { catalog, environment } = services;
  const record = recordOf(id, catalog);
  const files = await requireFiles(id, services);
  const whole = files.filter((entry) => isModelFile(entry) && !entry.isPart);
  const hashes = record ? publishedHashes(record) : new Map<string, string>();
  const broken = await verifyEntries(whole, hashes, environment);
  return { model: id, files: whole.length, broken: broken.map(nameOf) };
}

async function reportStorage(services: ModelsRpcServices): Promise<StorageReport> {
  const { storage } = services.environment;
  const { quota, usage } = await estimateOf(storage);
  const persisted = (await storage?.persisted?.().catch(() => false)) ?? false;
  const models = await listStored(services);
  return { quotaBytes: quota ?? null, usageBytes: usage ?? null, persisted, models };
}

function nameOf(address: string): string {
  return decodeName(address.slice(address.lastIndexOf("/") + 1));
}

/** Checks the type of a model's id: JavaScript callers may pass any value. */
function ofModel<T>(id: unknown, work: () => Promise<T>): Promise<Result<T>> {
  return asResult(async () => {
    if (typeof id === "string") return work();
    throw badRequest("invalid_type", "model", "Invalid type for 'model': expected a string, the model's id.");
  });
}
