import { createFetch } from "./fetch/create-fetch.ts";
import { Listeners } from "./listeners.ts";
import { areOptions } from "./options/check-options.ts";
import { resolveOptions } from "./options/resolve-options.ts";
import type { RuntimeOptions } from "./options/runtime-options.ts";
import type { Connection } from "./port/connection.ts";
import type { PageIdentity } from "./port/hello.ts";
import { mintKey } from "./port/page-key.ts";
import { requirePage } from "./port/require-environment.ts";
import type { RuntimeEvent } from "./protocol/events.ts";
import type { SupportReport } from "./protocol/rpc/support.ts";
import { createRpcClient, loadWithSignal } from "./rpc-client.ts";
import { sha256OfText } from "./shared/hex.ts";
import { scopeOf } from "./tabs/messages.ts";
import { retryOnServerLoss } from "./tabs/retry-on-server-loss.ts";
import { ServerHandle } from "./tabs/server-handle.ts";
import { partError } from "./tabs/start-error.ts";
import type { Billing, Usage } from "./types/billing.ts";
import type { Keys } from "./types/keys.ts";
import type { Deployments, Models } from "./types/models.ts";

declare global {
  // As in TypeScript's `esnext.disposable`, which projects with an older `lib` lack.
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}

/** The event of one type. */
export type RuntimeEventOf<T extends RuntimeEvent["type"]> = Extract<RuntimeEvent, { type: T }>;

/** A running inference runtime, created with {@link createRuntime}. */
export interface Runtime {
  /** A `fetch` that serves `baseURL` in the browser and forwards all other requests. Pass it to an SDK. */
  readonly fetch: typeof fetch;
  /** Absolute URL of the API, without a trailing slash. */
  readonly baseURL: string;
  /** API key of this runtime, newly generated each time: `infetch-<accessKey>-<secretKey>`. */
  readonly apiKey: string;
  /**
   * Subscribes to one event type, of all pages that share the server; earlier events are not repeated. Returns a function
   * that unsubscribes.
   *
   * @throws {TypeError} for a listener that is no function
   */
  on<T extends RuntimeEvent["type"]>(type: T, listener: (event: RuntimeEventOf<T>) => void): () => void;
  /** Metered requests. */
  readonly usage: Usage;
  /** Ledger operations: closing periods, credits, corrections, export, import. `/v1/billing` has the invoices. */
  readonly billing: Billing;
  /** API keys for other clients, with scopes, limits and an expiry. They persist across reloads. */
  readonly keys: Keys;
  /** Catalogue or hub models under your own names and settings (tier `dedicated`). */
  readonly deployments: Deployments;
  /** Reports the browser's capabilities, and the engine each model would use and why. Downloads nothing. */
  support(): Promise<SupportReport>;
  /** Models on this device: load, unload, list, delete and verify them. */
  readonly models: Models;
  /** Closes the runtime and frees its memory. Pending calls reject with {@link RuntimeClosedError}. */
  close(): void;
  /** Supports `await using runtime = await createRuntime()`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Creates a runtime and starts the server worker. A model loads with the first request that names it, or at once for
 * deployments with `keepLoaded`.
 *
 * Runtimes of one page share a server, as pages do; closing one does not affect the others.
 *
 * @throws {TypeError} for an unknown option or an invalid value; the message names both
 * @throws {InfetchError} if the environment is unsupported: `not_in_a_page` (server-side rendering),
 *   `unsupported_browser`, `insecure_context`, `opaque_origin`, `web_locks_unavailable`
 * @throws {InfetchError} `assets_not_found` or `assets_of_another_version` if the package's files cannot be used
 * @throws {InfetchError} `part_unavailable` if a part that `models` or `upstream` need does not load
 * @throws {WorkerLostError} if the server worker cannot start
 * @throws {RuntimeOptionsConflictError} if another page runs the shared server with another `testing.clockOffsetMs`
 */
export async function createRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  await requirePage("createRuntime", async () => (await setupErrors()).explainEnvironment());
  if (!areOptions(options)) throw (await setupErrors()).optionsError(options);
  const resolved = resolveOptions(options, import.meta.url);
  const { baseURL, sharedBy, server: serverOptions } = resolved;
  const key = await mintKey();
  const scope = sharedBy && scopeOf(serverOptions.storageName, await sha256OfText(sharedBy));
  const listeners = new Listeners((type) => {
    if (type === "stats") server.watchStats(listeners.has(type));
  });
  const identity: PageIdentity = {
    pageId: crypto.randomUUID(),
    key: key.registration,
    optionsJSON: JSON.stringify(serverOptions),
    basePath: baseURL.pathname.replace(/\/$/, ""),
  };
  const server = new ServerHandle({ ...resolved, scope }, identity, listeners.dispatch);
  const connect = () => server.connection();
  const close = (): void => server.close();
  try {
    await connect();
  } catch (error) {
    close();
    throw error;
  }
  const persist = serverOptions.billing ? persistOnce() : () => {};
  const send = (request: Request): Promise<Response> => {
    persist();
    return retryOnServerLoss(request, connect, scope === undefined ? 1 : undefined);
  };
  return {
    fetch: createFetch(baseURL, send, globalThis.fetch.bind(globalThis)),
    baseURL: baseURL.href.replace(/\/$/, ""),
    apiKey: key.apiKey,
    on: (type, listener) => listeners.add(type, listener as (event: RuntimeEvent) => void),
    ...rpcCalls(connect),
    close,
    [Symbol.asyncDispose]: async () => close(),
  };
}

/** What a runtime calls by RPC, not by HTTP. */
function rpcCalls(
  connect: () => Promise<Connection>,
): Pick<Runtime, "usage" | "billing" | "keys" | "deployments" | "models" | "support"> {
  const { support, ...models } = createRpcClient(connect, "models");
  const { usage: list, ...billing } = createRpcClient(connect, "billing");
  return {
    support,
    models: { ...models, load: loadWithSignal(connect, models) },
    usage: { list },
    billing,
    keys: createRpcClient(connect, "keys"),
    deployments: createRpcClient(connect, "deployments"),
  };
}

/** Loads the error messages. @throws {InfetchError} `assets_not_found` if their file does not load */
const setupErrors = () =>
  import("./options/setup-errors.ts").catch(async () => {
    throw await partError("setup-errors.js", import.meta.url);
  });

/**
 * Requests persistent storage on the first API request, so that the browser does not evict the ledger. Only a page
 * can do so; if denied, the ledger still works and export is the only backup.
 */
function persistOnce(): () => void {
  let isAsked = false;
  return () => {
    if (isAsked) return;
    isAsked = true;
    navigator.storage?.persist?.().catch(() => {});
  };
}
