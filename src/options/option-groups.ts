/** Options of `createRuntime()` that are groups of others. */

import type { Pricing } from "../protocol/rpc/billing.ts";

/** Options of {@link RuntimeOptions.billing}. */
export interface BillingSettings {
  /**
   * Rate card, in USD per million tokens with at most six decimals. A price change applies from the first hour
   * without usage of that product; earlier usage keeps its price. `"none"` meters without prices.
   *
   * @default "default", prices by the size in the model's name (`docs/billing.md`)
   */
  pricing?: Pricing;

  /**
   * How long an invoice stays a draft after its month ends, in milliseconds; at most 24 hours.
   *
   * @default 0
   */
  graceMs?: number;
}

/** Options of {@link RuntimeOptions.testing}. */
export interface TestingOptions {
  /**
   * Offset of the server's clock in milliseconds. Set it to reach the end of a month, which closes that month at
   * once. A whole number, the same in all pages that share the server.
   *
   * @default 0
   */
  clockOffsetMs?: number;
}

/** Options of {@link RuntimeOptions.hub}. */
export interface HubOptions {
  /**
   * Base URL of the hub, for apps that mirror it.
   *
   * @default "https://huggingface.co/"
   */
  url?: string | URL;

  /**
   * Access token, for gated and private models and higher rate limits. It is sent to `url` only and never stored. Every
   * script of the page can read it: use one that may only read, and only what the app needs. `url` must then be https, or
   * this machine.
   *
   * @default none
   */
  token?: string;

  /**
   * Folder with web-llm's compiled model libraries (`<model>-webgpu.wasm`), for apps that mirror them.
   *
   * @default the folder on raw.githubusercontent.com that web-llm names
   */
  librariesURL?: string | URL;
}

/** Options of {@link RuntimeOptions.llamacpp}. */
export interface LlamaCppOptions {
  /**
   * `auto` uses WebGPU on a hardware GPU with `shader-f16`, in browsers with JSPI and 64-bit memory, else WASM.
   * `webgpu` never falls back: it returns 503 where WebGPU cannot be used, and also takes a GPU that is computed on
   * the processor.
   *
   * @default "wasm", until WebGPU has run on more graphics cards
   */
  device?: "auto" | "webgpu" | "wasm";
}

/** Options of {@link RuntimeOptions.embeddings}. */
export interface EmbeddingOptions {
  /**
   * `auto` uses WebGPU on a hardware GPU, else WASM. A backend that fails its self-test is replaced regardless of
   * this setting; an `engine` event with state `fallback` gives the reason.
   *
   * @default "auto"
   */
  device?: "auto" | "webgpu" | "wasm";

  /**
   * Folder with the ONNX Runtime files, if not in the default location: a copy of the `ort` folder.
   *
   * @default the `ort` folder of the package's files
   */
  runtimeURL?: string | URL;
}
