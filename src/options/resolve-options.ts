import type {
  BillingServerOptions,
  EmbeddingServerOptions,
  ServerOptions,
} from "../protocol/options/server-options.ts";
import { sharedBy } from "../protocol/options/shared-options.ts";
import { absolute, addressHere, apiAddress, folderURL, plainOption } from "./addresses.ts";
import { requirePricing } from "./check-pricing.ts";
import type { BillingSettings, EmbeddingOptions } from "./option-groups.ts";
import { resolveHub } from "./resolve-hub.ts";
import { resolveMemory } from "./resolve-memory.ts";
import type { RuntimeOptions } from "./runtime-options.ts";

/** Options with defaults applied, and the server options derived from them. */
export interface ResolvedOptions {
  baseURL: URL;
  /** Scripts that the page starts directly. */
  workerURLs: { server: URL; broker: URL };
  server: ServerOptions;
  /** Identifies pages that can share a server; undefined for a private server. */
  sharedBy: string | undefined;
}

/**
 * Applies the defaults. Assumes that `check-options.ts` has validated the values.
 *
 * @param entryURL URL of the entry module, if it has one; workers and models are in its folder unless `assetsURL` is set
 * @throws {TypeError} for an invalid URL, token or price
 */
export function resolveOptions(options: RuntimeOptions, entryURL: string | undefined): ResolvedOptions {
  // A `srcdoc` frame inherits its parent's origin, which `location` does not expose.
  const { origin = location.origin } = globalThis;
  const here = addressHere(origin);
  const baseURL = apiAddress(options.baseURL, origin, here);
  const assetsURL = options.assetsURL ? folderURL("assetsURL", options.assetsURL, here) : (entryURL ?? here);
  const asset = (path: string): URL => new URL(path, assetsURL);
  const modelsURL = options.modelsURL ? folderURL("modelsURL", options.modelsURL, here) : asset("models/");
  const storageName = options.storageName ?? "infetch";
  const server: ServerOptions = {
    storageName,
    modelsURL: modelsURL.href,
    engineURLs: {
      webllm: asset("worker/webllm.js").href,
      llamacpp: asset("worker/llamacpp.js").href,
      transformers: asset("worker/transformers.js").href,
    },
    embeddings: resolveEmbeddings(options.embeddings ?? {}, asset("ort/"), here),
    ...(options.llamacpp?.device && {
      llamacpp: { device: options.llamacpp.device },
    }),
    hub: resolveHub(options.hub ?? {}, here),
    models: plainOption("models", options.models ?? []).map((model) => absolute(model, "url", here)),
    ...(options.upstream && {
      upstream: absolute(plainOption("upstream", options.upstream), "baseURL", here),
    }),
    maxQueuedRequests: options.maxQueuedRequests ?? 256,
    parallel: options.parallel ?? "auto",
    ...resolveMemory(options),
    strict: options.strict ?? false,
    samplingDefaults: options.samplingDefaults ?? "api",
    parseSpecialTokens: options.parseSpecialTokens ?? true,
    ...(options.remoteImages && { remoteImages: true }),
    billing: options.billing === false ? false : billingOptions(options.billing ?? {}, storageName),
    clockOffsetMs: options.testing?.clockOffsetMs ?? 0,
  };
  const workerURLs = { server: asset("worker/server.js"), broker: asset("worker/broker.js") };
  return { baseURL, workerURLs, server, sharedBy: options.shared === false ? undefined : sharedBy(server) };
}

function billingOptions(settings: BillingSettings, storageName: string): BillingServerOptions {
  const pricing = plainOption("billing.pricing", requirePricing(settings.pricing ?? "default"));
  return { storageName, pricing, graceMs: settings.graceMs ?? 0 };
}

function resolveEmbeddings(options: EmbeddingOptions, runtimeURL: URL, here: string): EmbeddingServerOptions {
  return {
    runtimeURL: folderURL("embeddings.runtimeURL", options.runtimeURL ?? runtimeURL, here).href,
    device: options.device ?? "auto",
  };
}
