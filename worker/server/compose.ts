/** Composition root of the server worker. */

import type { ServerOptions } from "../../src/protocol/options/server-options.ts";
import type { Rpc } from "../../src/protocol/rpc/rpc.ts";
import { requestIdOf, stateOf } from "../../src/protocol/transfer/request-state.ts";
import { NEVER } from "../../src/shared/abortable.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { GgufKinds } from "../catalog/gguf-kinds.ts";
import type { CatalogRecord } from "../catalog/model-record.ts";
import { type Clock, offsetClock, systemTimers, unixSeconds } from "../clock.ts";
import type { Services } from "../endpoints/endpoint.ts";
import type { ItemCache } from "../endpoints/responses/item-cache.ts";
import { loadUpstream } from "../endpoints/upstream/load-upstream.ts";
import { loadPart } from "../lazy/part.ts";
import type { ReplyCaches } from "../prompt/reply-cache.ts";
import type { Aliases } from "../usage/billing/prices/rate-card.ts";
import { webLocks } from "../usage/ledger/locks.ts";
import { type App, createApp } from "./app.ts";
import { openAuth } from "./auth.ts";
import { openLedgerBroadcast } from "./broadcasts.ts";
import { checkOptions, listedModels, openCatalog } from "./catalog.ts";
import { Connections } from "./connections.ts";
import { openEngines, type ServerEngines } from "./engines.ts";
import { LazyBatches } from "./lazy-batches.ts";
import { openStats } from "./lazy-stats.ts";
import { openLedger } from "./ledger.ts";
import { loadImage } from "./load-image.ts";
import { Pages } from "./pages.ts";
import { openRpc } from "./rpc.ts";

const MAINTENANCE_MS = 3_600_000;

/**
 * @param serverLock held by the page that started this worker; `workerLock`, by the worker
 * @throws {PartError} if a part that the options need does not load
 */
export async function composeServer(
  given: ServerOptions,
  serverLock: string,
  workerLock: string,
): Promise<Connections> {
  const listed = listedModels(given);
  const { options, fault } = await checkOptions(given, listed);
  const components = await openComponents(options, listed, serverLock, workerLock);
  const { clock, pages, engines, ledger, auth, batches } = components;
  const { catalog } = components.models;
  const app = openApp(options, components);
  const connections = new Connections({
    app,
    pages,
    keys: auth.keys,
    clock,
    serverLock,
    ...(fault ? { optionFault: fault } : {}),
    options: given,
    rpc: openPageRpc(options, components),
    reverseUsage: async (request) => {
      const used = await ledger.reverseEarlier(requestIdOf(request), stateOf(request).attempt);
      if (used) await auth.onReversal(request, used);
    },
    costUsd: ledger.costUsd,
  });
  batches.run(app);
  runMaintenance(ledger, batches);
  for (const model of catalog.list()) if (model.keepLoaded) loadAhead(model.id, catalog, engines);
  return connections;
}

type ServerComponents = Awaited<ReturnType<typeof openComponents>>;

/** What HTTP requests and RPC share, each component with those that it depends on. */
async function openComponents(
  options: ServerOptions,
  listed: readonly CatalogRecord[],
  serverLock: string,
  workerLock: string,
) {
  const clock = offsetClock(options.clockOffsetMs);
  const pages = new Pages();
  const emit = pages.broadcast;
  const kinds = new GgufKinds();
  const engines = openEngines(options, serverLock, kinds, clock, emit);
  openStats(engines.chat, pages);
  const models = await openCatalog(
    options,
    listed,
    kinds,
    clock,
    (model) => void engines.release(model).catch(() => {}),
  );
  const { catalog, aliases } = models;
  const shared: SharedServices = {
    clock,
    locks: webLocks,
    // Tests offset the clock on purpose.
    skipsClockCheck: options.clockOffsetMs !== 0,
  };
  const { ledger, auth } = await openUsage(options, shared, workerLock, aliases, emit);
  const upstream = await loadUpstream(options, catalog, unixSeconds(clock));
  const batches = new LazyBatches({
    ...shared,
    options,
    catalog,
    record: ledger.record,
    forwards: (model) => upstream?.forwards(model) ?? false,
    backgroundPlaces: (id) => engines.chat.queue(id).backgroundPlaces,
    isOnline: () => navigator.onLine,
    emit,
  });
  return { clock, pages, engines, models, ledger, auth, upstream, batches };
}

/** What the parts that store data have in common. */
interface SharedServices {
  clock: Clock;
  locks: typeof webLocks;
  skipsClockCheck: boolean;
}

/** Billing and API keys. */
async function openUsage(
  options: ServerOptions,
  shared: SharedServices,
  workerLock: string,
  aliases: Aliases,
  emit: Pages["broadcast"],
) {
  const ledger = await openLedger(options.billing, {
    ...shared,
    timers: systemTimers,
    onEvent: options.billing ? openLedgerBroadcast(options.billing.storageName, emit) : emit,
    aliases,
  });
  const auth = openAuth({
    ...shared,
    name: options.storageName,
    workerLock,
    ledger: ledger.database,
    aliases,
  });
  return { ledger, auth };
}

function openApp(options: ServerOptions, components: ServerComponents): App {
  const { clock, models, engines, ledger, auth, upstream, batches } = components;
  return createApp(
    {
      clock,
      catalog: models.catalog,
      engines: engines.chat,
      embeddings: engines.embeddings,
      meter: ledger.meter,
      replyCacheOf: openReplyCaches(),
      items: openItems(),
      strict: options.strict,
      samplingDefaults: options.samplingDefaults ?? "api",
      parseSpecialTokens: options.parseSpecialTokens ?? true,
      loadImage,
      remoteImages: options.remoteImages ?? false,
      stores: batches.get,
      ...(upstream ? { upstream } : {}),
      ...(ledger.billing ? { billing: ledger.billing } : {}),
    },
    auth.keys,
    auth.limiter,
  );
}

/** A part: only chat has them. */
function openReplyCaches(): Services["replyCacheOf"] {
  let caches: ReplyCaches | undefined;
  return (account) => async (signal) => {
    const part = await loadPart(() => import("../prompt/reply-cache.ts"), signal);
    caches ??= new part.ReplyCaches();
    return caches.of(account);
  };
}

/** A part: only responses have items. */
function openItems(): () => Promise<ItemCache> {
  let items: ItemCache | undefined;
  return async () => {
    const part = await loadPart(() => import("../endpoints/responses/item-cache.ts"));
    items ??= new part.ItemCache();
    return items;
  };
}

function openPageRpc(options: ServerOptions, components: ServerComponents): Rpc {
  const { clock, models, engines, ledger, auth, upstream } = components;
  return openRpc({
    options,
    clock,
    billing: ledger.rpc,
    keys: auth.rpc,
    models,
    engines,
    forwarded: upstream?.names ?? [],
    loadAhead: (id) => void loadAhead(id, models.catalog, engines),
  });
}

/** Loads a model before it is asked for. The first request for it reports why that failed. */
async function loadAhead(id: string, catalog: Catalog, engines: ServerEngines): Promise<void> {
  try {
    const model = catalog.find(id);
    if (model) await engines.load(await catalog.complete(model), NEVER);
  } catch {}
}

/**
 * Runs at start-up and every hour, and wakes batches when the browser is online again. Failures are retried by the
 * next billing read or run.
 */
function runMaintenance(ledger: ServerComponents["ledger"], batches: LazyBatches): void {
  const maintain = (): void => {
    ledger.runMaintenance().catch(() => {});
    void batches.wake();
  };
  // Resume batches whose model could not be downloaded offline.
  self.addEventListener("online", () => void batches.wake());
  maintain();
  setInterval(maintain, MAINTENANCE_MS);
}
