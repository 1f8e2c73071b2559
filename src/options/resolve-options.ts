import { requireParallel } from "../protocol/parallel.ts";
import type {
  BillingServerOptions,
  EmbeddingServerOptions,
  ServerOptions,
} from "../protocol/server-options.ts";
import { sharedBy } from "../protocol/shared-options.ts";
import { absolute, addressHere, apiAddress, folderURL, plainOption } from "./addresses.ts";
import { requirePricing } from "./check-pricing.ts";
import type { BillingSettings, EmbeddingOptions } from "./option-groups.ts";
import { resolveHub } from "./resolve-hub.ts";
import { resolveMemory } from "./resolve-memory.ts";
import type { RuntimeOptions } from "./runtime-options.ts";

const MAX_GRACE_MS = 24 * 3_600_000;

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
 * Applies the defaults. Assumes that `check-options.ts` has validated the types.
 *
 * @param entryURL URL of the entry module, if it has one; workers and models are in its folder unless `assetsURL` is set
 * @throws {TypeError} for an invalid URL or a number out of range
 */
export function resolveOptions(options: RuntimeOptions, entryURL: string | undefined): ResolvedOptions {
  // A `srcdoc` frame inherits its parent's origin, which `location` does not expose.
  const { origin = location.origin } = globalThis;
  const here = addressHere(origin);
  const baseURL = apiAddress(options.baseURL, origin, here);
  const assetsURL = options.assetsURL ? folderURL("assetsURL", options.assetsURL, here) : (entryURL ?? here);
  const asset = (path: string): URL => new URL(path, assetsURL);
  const modelsURL = options.modelsURL ? folderURL("modelsURL", options.modelsURL, here) : asset("models/");
  const maxQueuedRequests = options.maxQueuedRequests ?? 256;
  if (!Number.isInteger(maxQueuedRequests) || maxQueuedRequests < 1) {
    throw new TypeError("maxQueuedRequests must be a whole number of at least 1.");
  }
  const samplingDefaults = options.samplingDefaults ?? "api";
  if (!["api", "model"].includes(samplingDefaults)) {
    throw new TypeError(`samplingDefaults must be "api" or "model".`);
  }
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
      llamacpp: { device: deviceChoice("llamacpp.device", options.llamacpp.device) },
    }),
    hub: resolveHub(options.hub ?? {}, here),
    models: plainOption("models", options.models ?? []).map((model) => absolute(model, "url", here)),
    ...(options.upstream && {
      upstream: absolute(plainOption("upstream", options.upstream), "baseURL", here),
    }),
    maxQueuedRequests,
    parallel: requireParallel(options.parallel ?? "auto"),
    ...resolveMemory(options),
    strict: options.strict ?? false,
    samplingDefaults,
    parseSpecialTokens: options.parseSpecialTokens ?? true,
    ...(options.remoteImages && { remoteImages: true }),
    billing: options.billing === false ? false : billingOptions(options.billing ?? {}, storageName),
    clockOffsetMs: wholeNumber("testing.clockOffsetMs", options.testing?.clockOffsetMs ?? 0),
  };
  const workerURLs = { server: asset("worker/server.js"), broker: asset("worker/broker.js") };
  return { baseURL, workerURLs, server, sharedBy: options.shared === false ? undefined : sharedBy(server) };
}

function billingOptions(settings: BillingSettings, storageName: string): BillingServerOptions {
  const graceMs = wholeNumber("billing.graceMs", settings.graceMs ?? 0);
  if (graceMs < 0 || graceMs > MAX_GRACE_MS)
    throw new TypeError("billing.graceMs must be 0 to 86400000 (24 hours).");
  const pricing = plainOption("billing.pricing", requirePricing(settings.pricing ?? "default"));
  return { storageName, pricing, graceMs };
}

function wholeNumber(name: string, value: number): number {
  if (!Number.isSafeInteger(value)) throw new TypeError(`${name} must be a whole number.`);
  return value;
}

function deviceChoice<Device extends string>(name: string, device: Device): Device {
  if (["auto", "webgpu", "wasm"].includes(device)) return device;
  throw new TypeError(`${name} must be "auto", "webgpu" or "wasm".`);
}

function resolveEmbeddings(options: EmbeddingOptions, runtimeURL: URL, here: string): EmbeddingServerOptions {
  return {
    runtimeURL: folderURL("embeddings.runtimeURL", options.runtimeURL ?? runtimeURL, here).href,
    device: deviceChoice("embeddings.device", options.device ?? "auto"),
  };
}
