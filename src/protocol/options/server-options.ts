/** Configuration of the server, which the page derives from its options. */

import type { Parallel } from "../parallel.ts";
import type { Pricing } from "../rpc/billing.ts";
import type { ModelOption } from "./own-models.ts";
import type { UpstreamOptions } from "./upstream.ts";

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
  billing: BillingServerOptions | false;
  /** Offset of the server's clock, in milliseconds. */
  clockOffsetMs: number;
}

/** Ledger settings of the server. */
export interface BillingServerOptions {
  /** The database is called `<name>-ledger`. */
  storageName: string;
  pricing: Pricing;
  graceMs: number;
}

/** Access to the hub. */
export interface HubServerOptions {
  /** Absolute base URL, with a trailing slash. */
  url: string;
  /** Sent to the hub only. */
  token?: string;
  /** Absolute URL of the folder with web-llm's model libraries, with a trailing slash. */
  librariesURL?: string;
}

/** Settings of the embedding engine. */
export interface EmbeddingServerOptions {
  /** Absolute URL of the folder with the ONNX Runtime files, with a trailing slash. */
  runtimeURL: string;
  device: "auto" | "webgpu" | "wasm";
}
