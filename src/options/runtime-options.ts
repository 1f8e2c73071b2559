import type { ModelOption } from "../protocol/options/own-models.ts";
import type { UpstreamOptions } from "../protocol/options/upstream.ts";
import type { Parallel } from "../protocol/parallel.ts";
import type {
  BillingSettings,
  EmbeddingOptions,
  HubOptions,
  LlamaCppOptions,
  TestingOptions,
} from "./option-groups.ts";

/** Options of {@link createRuntime}. All are optional; the defaults serve the built-in models. */
export interface RuntimeOptions {
  /**
   * URL prefix that the runtime serves. Requests to it and its sub-paths are handled locally; all other requests use
   * the real `fetch`. Relative URLs resolve against the document.
   *
   * @default `/v1` on the page's origin; `https://infetch.invalid/v1` for an origin without a host, such as `file://`
   */
  baseURL?: string | URL;

  /**
   * Folder with the package's files, if your bundler moves the entry module away from them: `npx infetch copy <folder>`
   * puts them on your origin. Relative URLs resolve against the document.
   *
   * @default the folder of the package's entry module
   */
  assetsURL?: string | URL;

  /**
   * Folder with the built-in models, if not in the default location: a copy of the `models` folder. Relative URLs
   * resolve against the document.
   *
   * @default the `models` folder of the package's files
   */
  modelsURL?: string | URL;

  /**
   * Maximum number of queued requests per model, at least 1. Further requests get a 429 response with `retry-after`.
   *
   * @default 256
   */
  maxQueuedRequests?: number;

  /**
   * Replies of a chat model that run side by side, 1 to 8, if its engine can: each is slower than alone, all together are
   * faster. `auto` runs up to eight, fewer where measuring shows that more gain nothing. Rows of `models` and deployments can
   * say otherwise for one model. llama.cpp runs one.
   *
   * @default "auto"
   */
  parallel?: Parallel;

  /**
   * Maximum memory for all loaded models together, in bytes. Loading a model beyond it evicts the least recently used
   * ones; a model larger than the whole budget gets a 503 response.
   *
   * @default half of the memory that the browser reports (8 GiB at most in most browsers), or 4 GiB; a larger model is then tried alone
   */
  memoryBudgetBytes?: number;

  /**
   * How long an idle model stays loaded, in milliseconds. 0 unloads it after each request; -1 or `Infinity`, never.
   *
   * @default 300000 (five minutes)
   */
  keepAliveMs?: number;

  /**
   * Rejects requests that omit a field the API requires: `POST /v1/responses` without `store: false` then returns
   * 400. By default an absent `store` means false, because SDKs omit it.
   *
   * @default false
   */
  strict?: boolean;

  /**
   * Prices and invoice settings. `false` disables the ledger: nothing is metered or stored, and the billing endpoints
   * return 403.
   *
   * @default {}
   */
  billing?: false | BillingSettings;

  /**
   * Prefix for database names: `<storageName>-ledger`, `<storageName>-accounts` (keys), and likewise for deployments,
   * files and batches. Runtimes of one origin with the same name share these databases.
   *
   * @default "infetch"
   */
  storageName?: string;

  /**
   * Whether pages and frames of this origin with the same ledger share one server, and so one copy of each model.
   * Pages with incompatible options (other models, another upstream) get separate servers; prices and limits are
   * those of the leader page (`docs/tabs-and-offline.md`).
   *
   * @default true
   */
  shared?: boolean;

  /**
   * Sampling of requests that leave parameters out: `api` is OpenAI's (temperature 1, all tokens), `model` what the
   * model's publisher recommends (`general.sampling.*` of a GGUF file, `mlc-chat-config.json`,
   * `generation_config.json`). Manifests and deployments can say otherwise for one model.
   *
   * @default "api"
   */
  samplingDefaults?: "api" | "model";

  /**
   * Whether special tokens that messages of users and tools spell out, such as `<|im_end|>`, are read as those tokens,
   * as in llama.cpp and vLLM. `false` reads them as text, so that they cannot end a turn. Manifests and deployments can
   * say otherwise for one model.
   *
   * @default true
   */
  parseSpecialTokens?: boolean;

  /**
   * Whether images of requests may have `http:` and `https:` URLs, which the server then downloads. Their hosts must
   * allow other origins (CORS).
   *
   * @default false: images are data URLs, or blob URLs of the page
   */
  remoteImages?: boolean;

  /**
   * Models beyond the catalogue's: folders on any static host, and embedding models of the hub (`docs/models.md`).
   *
   * @default []
   */
  models?: readonly ModelOption[];

  /**
   * OpenAI-compatible server for requests that this device cannot or should not serve.
   *
   * @default none: no request leaves the page
   */
  upstream?: UpstreamOptions;

  /** Backend of the embedding models. */
  embeddings?: EmbeddingOptions;

  /** Where llama.cpp runs GGUF models. */
  llamacpp?: LlamaCppOptions;

  /** The hub that models come from: its address, an access token, and mirrors. */
  hub?: HubOptions;

  /** Settings for tests and demos. */
  testing?: TestingOptions;
}
