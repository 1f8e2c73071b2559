/** Events of a runtime. */

import type { Tier, UsageEvent } from "./rpc/billing.ts";

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
   * goes on when a file is deleted or the browser is online, and is tried again after 5 seconds, then after pauses that
   * grow to 15 minutes.
   */
  code?: string;
}

/**
 * What a loaded chat model does, for all pages together: sent to a new listener, once the model has loaded, each second
 * while it works, and once when it is idle again. Nothing is measured while no page listens.
 */
export interface StatsEvent {
  /** Discriminates the events. */
  type: "stats";
  /** Model id as used in requests. */
  model: string;
  /** Requests that run, lines of batches included; each of several choices counts. */
  running: number;
  /** Requests that wait for others to end. */
  waiting: number;
  /** Tokens generated per second since the event before, of all requests together; 0 in the first event. */
  tokensPerSecond: number;
  /** Share of all prompt tokens that were in the KV cache, 0 to 1, since the model was loaded; null before the first. */
  cacheHitRate: number | null;
  /** The KV cache; null for engines that do not report it, such as llama.cpp. */
  pages: CachePages | null;
}

/** Pages of a KV cache, each for a fixed number of tokens (16 in MLC's libraries). */
export interface CachePages {
  /** Pages of the model's cache. */
  total: number;
  /** Not in use. */
  free: number;
  /** Held for later prompts only; they give way to requests. All others are in use by running requests. */
  retained: number;
}

/** All events of a runtime, discriminated by `type`. */
export type RuntimeEvent =
  | ModelProgressEvent
  | RequestEvent
  | EngineEvent
  | LedgerEvent
  | BatchEvent
  | StatsEvent;
