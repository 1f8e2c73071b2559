import { type Billing, createBilling, createUsage, persistOnce, type Usage } from "./billing.ts";
import { createDeployments, type Deployments } from "./deployments.ts";
import { RuntimeClosedError, WorkerLostError } from "./errors.ts";
import { createFetch } from "./fetch.ts";
import { mintKey } from "./key.ts";
import { createKeys, type Keys } from "./keys.ts";
import { type RuntimeOptions, resolveOptions } from "./options.ts";
import { Connection, type PageIdentity } from "./port/connection.ts";
import type { ConnectMessage, RuntimeEvent, ServerOptions } from "./protocol/wire.ts";

/**
 * `"./worker/server.js"`, put in by the build: the published module then has the `new Worker(new URL(…))` that
 * bundlers look for, while our own bundler, for which no such file exists yet, does not.
 */
declare const __SERVER_WORKER__: string;

type EventOf<T extends RuntimeEvent["type"]> = Extract<RuntimeEvent, { type: T }>;
type Listener = (event: RuntimeEvent) => void;

/** A running inference runtime. Make one with {@link createRuntime}. */
export interface Runtime {
  /** A `fetch` that answers `baseURL` in the page and passes everything else on. Hand it to an SDK. */
  readonly fetch: typeof fetch;
  /** Absolute address of the `/v1` surface, without a slash at its end. */
  readonly baseURL: string;
  /** The page's own key, minted anew for each runtime: `infetch-<accessKey>-<secretKey>`. */
  readonly apiKey: string;
  /** Listens to one type of event; returns the function that ends it. */
  on<T extends RuntimeEvent["type"]>(type: T, listener: (event: EventOf<T>) => void): () => void;
  /**
   * Loads a model ahead of its first request; resolves when it is ready.
   *
   * @throws {ModelLoadError} with a machine-readable `code`
   */
  load(model: string): Promise<void>;
  /**
   * Frees the memory of a model by ending its engine. Text that it writes at that moment fails with
   * `engine_lost`; the next request, and embeddings that wait, load it again.
   *
   * @throws {ModelLoadError} with the `code` `model_not_found`
   */
  unload(model: string): Promise<void>;
  /** What has been metered. */
  readonly usage: Usage;
  /** The books: closing, credits, corrections, export and import. Reading invoices is `/v1/billing`. */
  readonly billing: Billing;
  /** Keys for others than this page: with scopes, limits and an end, kept over reloads. */
  readonly keys: Keys;
  /** Models of the catalogue or of the hub under names and settings of your own (tier `dedicated`). */
  readonly deployments: Deployments;
  /** Ends the runtime and frees its memory. Everything pending rejects with {@link RuntimeClosedError}. */
  close(): void;
}

/**
 * Starts a runtime. Nothing is downloaded and no model is loaded until the first request names one.
 *
 * @throws {TypeError} for options that do not parse
 * @throws {WorkerLostError} when the server worker cannot start
 */
export async function createRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  const resolved = resolveOptions(options, import.meta.url);
  const key = await mintKey();
  const listeners = new Map<string, Set<Listener>>();
  const identity: PageIdentity = {
    pageId: crypto.randomUUID(),
    key: key.registration,
    optionsFingerprint: resolved.fingerprint,
    basePath: resolved.baseURL.pathname.replace(/\/$/, ""),
  };
  const server = new ServerHandle(resolved.server, identity, (event) => {
    for (const listener of listeners.get(event.type) ?? []) listener(event);
  });
  await server.connection();
  const persist = resolved.server.billing ? persistOnce() : () => {};
  return {
    fetch: createFetch(
      resolved.baseURL,
      async (request) => {
        persist();
        return (await server.connection()).fetch(request);
      },
      globalThis.fetch.bind(globalThis),
    ),
    baseURL: resolved.baseURL.href.replace(/\/$/, ""),
    apiKey: key.apiKey,
    on(type, listener) {
      const ofType = listeners.get(type) ?? new Set();
      listeners.set(type, ofType.add(listener as Listener));
      return () => void ofType.delete(listener as Listener);
    },
    load: async (model) => (await server.connection()).load(model),
    unload: async (model) => (await server.connection()).unload(model),
    usage: createUsage(() => server.connection()),
    billing: createBilling(() => server.connection()),
    keys: createKeys(() => server.connection()),
    deployments: createDeployments(() => server.connection()),
    close: () => server.close(),
  };
}

/** Owns the server worker: starts it, and starts another one after it died. */
class ServerHandle {
  readonly #options: ServerOptions;
  readonly #identity: PageIdentity;
  readonly #onEvent: Listener;
  #connection: Promise<Connection> | undefined;
  #close: (error: Error) => void = () => {};
  #closed = false;

  constructor(options: ServerOptions, identity: PageIdentity, onEvent: Listener) {
    this.#options = options;
    this.#identity = identity;
    this.#onEvent = onEvent;
  }

  connection(): Promise<Connection> {
    if (this.#closed) return Promise.reject(new RuntimeClosedError());
    this.#connection ??= this.#start();
    return this.#connection;
  }

  close(): void {
    this.#closed = true;
    this.#close(new RuntimeClosedError());
  }

  #start(): Promise<Connection> {
    const worker = new Worker(new URL(__SERVER_WORKER__, import.meta.url), {
      type: "module",
      name: "infetch-server",
    });
    const { port1, port2 } = new MessageChannel();
    const message: ConnectMessage = { type: "connect", port: port2, options: this.#options };
    worker.postMessage(message, [port2]);
    let live: Connection | undefined;
    const end = (error: Error): void => {
      worker.terminate();
      live?.fail(error);
      if (this.#connection === opening) this.#connection = undefined;
    };
    this.#close = end;
    worker.onerror = (event) => {
      event.preventDefault();
      end(new WorkerLostError(`The server worker failed: ${event.message || "its script did not load"}.`));
    };
    const opening = Connection.open(port1, this.#identity, this.#onEvent, (connection) => {
      live = connection;
      connection.onLost(() => end(new WorkerLostError()));
    });
    opening.catch((error) => end(error instanceof Error ? error : new WorkerLostError()));
    return opening;
  }
}
