/**
 * Messages between a page and the server worker, and the protocol's version. Errors are serialized, because comlink
 * keeps only `message`, `name` and `stack` of a thrown error.
 */

import type { Pricing, Tier, UsageEvent } from "./billing.ts";
import type { EmbeddingServerOptions, HubServerOptions } from "./hub.ts";
import type { ModelOption } from "./own-models.ts";
import type { Parallel } from "./parallel.ts";
import type { Result } from "./result.ts";
import type { Rpc } from "./rpc.ts";
import type { StatsEvent } from "./stats.ts";
import type { UpstreamOptions } from "./upstream.ts";

export type { EmbeddingServerOptions, HubServerOptions } from "./hub.ts";
export type { Result, WireError } from "./result.ts";
export type { CachePages, EventsControl, StatsEvent } from "./stats.ts";

/** Increment when the meaning of a message changes; both ends compare it in the hello. */
export const PROTOCOL_VERSION = 2;

/** A page's own key. The secret stays in the page; the server gets a salted hash. */
export interface KeyRegistration {
  accessKey: string;
  /** Hexadecimal salt, 16 bytes. */
  salt: string;
  /** Hexadecimal SHA-256 of `salt + secretKey` (both as UTF-8 text). */
  hash: string;
}

/** First call on every port. */
export interface Hello {
  protocolVersion: number;
  pageId: string;
  /** Web Lock that the page holds for life; the server is granted it when the page is gone. */
  pageLock: string;
  /** Absent for a service worker, whose requests carry other keys. */
  key?: KeyRegistration;
  /** The {@link ServerOptions} of this page as JSON; absent if any server is acceptable. */
  optionsFingerprint?: string;
  /** Path of `baseURL` without a trailing slash, `/v1` by default. */
  basePath: string;
  /** Port for {@link RuntimeEvent}s to the page, and {@link EventsControl} from it. */
  events: MessagePort;
}

/** Response to an accepted hello. */
export interface HelloReply {
  /** Web Lock that the page which started the server holds; another page is granted it when the server is gone. */
  serverLock: string;
}

/** The comlink interface of the server, exposed on each page's port. */
export interface ServerEndpoint extends Rpc {
  hello(hello: Hello): Promise<Result<HelloReply>>;
  /** Serves the HTTP API. Never rejects: every failure is a Response. */
  fetch(request: Request): Promise<Response>;
}

/** Load progress of a model. `download` counts bytes; `compile` is the engine's setup after it. */
export interface ModelProgressEvent {
  /** Discriminates the events. */
  type: "progress";
  /** Model id as used in requests. */
  model: string;
  /** `ready` is the last one. */
  phase: "download" | "compile" | "ready";
  /** Bytes downloaded so far, of `totalBytes`. */
  loadedBytes: number;
  /** Size of all files that the load needs; grows while it is not yet known. */
  totalBytes: number;
  /** Progress of the whole load, 0 to 1. */
  fraction: number;
  /**
   * Set while the load waits because a server limits the rate of requests (429): when it goes on, in Unix milliseconds.
   * The next event without it says that it does.
   */
  waitsUntil?: number;
}

/**
 * A completed request and its metered usage, as in its ledger row. Contents are never included. Fired once the usage
 * is recorded: for a stream, when the last byte is sent or its reader cancels; for other responses, when `fetch`
 * resolves or is aborted. If the caller aborts later, before reading the body, the charge is reversed and a second
 * event with the same `requestId` is fired.
 */
export interface RequestEvent {
  /** Discriminates the events. */
  type: "request";
  /** `x-request-id` of the response, and `requestId` in `runtime.usage.list()`. */
  requestId: string;
  /** HTTP method. */
  method: string;
  /** Path starting at `/v1`, regardless of `baseURL`. */
  path: string;
  /** HTTP status; 499 if the caller aborted before the response. */
  status: number;
  /** Milliseconds from the request's arrival at the server to its end. */
  durationMs: number;
  /** How model usage ended. Absent, like the next four fields, if no model was used. */
  outcome?: UsageEvent["outcome"];
  /** Model as named on invoices: its catalogue or hub id. */
  model?: string;
  /** Pricing tier. */
  tier?: Tier;
  /** Deployment name; only for tier `dedicated`. */
  deploymentName?: string;
  /** The engine used; absent if the request ended before a model was loaded. */
  engine?: RequestEngine;
  /** Billed prompt tokens, including cached ones. 0 if nothing was billed. */
  inputTokens: number;
  /** `inputTokens` that were served from the KV cache. */
  cachedTokens: number;
  /** Billed generated tokens, including reasoning. */
  outputTokens: number;
  /** `outputTokens` used for reasoning. */
  reasoningTokens: number;
  /** USD at the current hour's prices, before credits; 0 without prices or with `billing: false`. */
  costUsd: number;
}

/** Runs a model; `upstream` is another server. */
export type RequestEngine = "webllm" | "llamacpp" | "transformers" | "upstream";

/** A model was loaded or unloaded, or its engine died or was replaced. */
export interface EngineEvent {
  /** Discriminates the events. */
  type: "engine";
  /** Model id as used in requests. */
  model: string;
  /**
   * `fallback`: a backend failed or computed wrong results, and the next one is tried. `note`: the model runs, but
   * not in its first choice of build or engine, or something in its files is not known, such as its pre-tokenizer or pooling.
   */
  state: "loaded" | "lost" | "unloaded" | "fallback" | "note";
  /** Cause, for people; absent for `loaded`. */
  reason?: string;
}

/**
 * The ledger changed (in any tab), could not be written, or had unbillable rows, which were quarantined. Inference
 * continues in every case.
 */
export interface LedgerEvent {
  /** Discriminates the events. */
  type: "ledger";
  /** What happened; `code` has the cause of the last two. */
  state: "changed" | "write_failed" | "row_quarantined";
  /** `ledger_unavailable` or `ledger_blocked` for a failed write, `ledger_row_quarantined` for quarantined rows. */
  code?: string;
}

/** As in the batch object of `/v1/batches`: `failed`, `completed`, `expired` and `cancelled` are final. */
export type BatchStatus =
  | "validating"
  | "failed"
  | "in_progress"
  | "finalizing"
  | "completed"
  | "expired"
  | "cancelling"
  | "cancelled";

/** A batch progressed, in any tab. Contents are never included. */
export interface BatchEvent {
  /** Discriminates the events. */
  type: "batch";
  /** Id of the batch: `batch_…`. */
  id: string;
  /** As in the batch object of `/v1/batches`. */
  status: BatchStatus;
  /** Requests in the batch; 0 until validated. */
  total: number;
  /** Requests with a response. */
  completed: number;
  /** Requests with an error. */
  failed: number;
  /**
   * Code of the error that paused it, such as `storage_quota_exceeded`, `storage_unavailable` or `model_download_failed`. It
   * goes on when a file is deleted or the browser is online, and is tried again every hour.
   */
  code?: string;
}

/** All events of a runtime, discriminated by `type`. */
export type RuntimeEvent =
  | ModelProgressEvent
  | RequestEvent
  | EngineEvent
  | LedgerEvent
  | BatchEvent
  | StatsEvent;

/** Server configuration. The first `connect` decides. */
export interface ServerOptions {
  /** Prefix of the server's databases: `<name>-accounts`, `<name>-deployments`, `<name>-files`. */
  storageName: string;
  /** Absolute URL of the folder with the built-in models, with a trailing slash. */
  modelsURL: string;
  /** Absolute URLs of the engine workers. */
  engineURLs: { webllm: string; llamacpp: string; transformers: string };
  embeddings: EmbeddingServerOptions;
  /** Where llama.cpp computes. @default WebAssembly */
  llamacpp?: { device: "auto" | "webgpu" | "wasm" };
  hub: HubServerOptions;
  /** Models beyond the catalogue's; their URLs are absolute, with a trailing slash. */
  models: readonly ModelOption[];
  /** Upstream server; its URL is absolute. */
  upstream?: UpstreamOptions;
  /** Maximum queued requests per model; further ones get a 429 response. */
  maxQueuedRequests: number;
  /** Replies of a chat model that run side by side. @default "auto" */
  parallel?: Parallel;
  /** Maximum bytes for all models together; estimated if absent. */
  memoryBudgetBytes?: number;
  /** How long an idle model stays loaded, in milliseconds; -1 means never unload. */
  keepAliveMs: number;
  /** Whether to reject requests that omit required fields, as SDKs do. */
  strict: boolean;
  /** Whose sampling defaults apply to models that do not say. @default "api" */
  samplingDefaults?: "api" | "model";
  /** Whether special tokens that messages spell out are read as such. @default true */
  parseSpecialTokens?: boolean;
  /** Whether images of requests are downloaded. @default false */
  remoteImages?: boolean;
  /** Ledger settings, or false for no ledger. */
  billing: BillingOptions | false;
  /** Offset of the server's clock, in milliseconds. */
  clockOffsetMs: number;
}

/** Ledger settings of the server. */
export interface BillingOptions {
  /** The database is called `<name>-ledger`. */
  storageName: string;
  pricing: Pricing;
  graceMs: number;
}
