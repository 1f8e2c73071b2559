import type { EmbeddingModelOption, EmbeddingServerOptions, ServerOptions } from "./protocol/wire.ts";

/** Options of {@link createRuntime}. All are optional; the defaults run the built-in models with no download. */
export interface RuntimeOptions {
  /**
   * The address under which the `/v1` paths are answered. Only it and its sub-paths are; every other address
   * goes to the real `fetch`. Relative addresses resolve against the document.
   *
   * @default new URL("/v1", location.origin).href
   */
  baseURL?: string | URL;

  /**
   * The folder with the built-in models, for apps whose bundler moves the package's files: copy
   * `node_modules/infetch/dist/models` there. Relative addresses resolve against the document.
   *
   * @default the `models` folder beside the package's entry
   */
  modelsURL?: string | URL;

  /**
   * How many requests may wait for one model. The next one is answered with 429 and `retry-after`.
   *
   * @default 256
   */
  maxQueuedRequests?: number;

  /** How embeddings are made, and which models beyond the catalogue's may be named. */
  embeddings?: EmbeddingOptions;
}

/** Options of {@link RuntimeOptions.embeddings}. */
export interface EmbeddingOptions {
  /**
   * `auto` takes WebGPU where it is a graphics card, else WASM. A backend that fails its self-test is replaced
   * whatever is chosen here; the event `engine` with the state `fallback` says why.
   *
   * @default "auto"
   */
  device?: "auto" | "webgpu" | "wasm";

  /** Models beyond the catalogue's: of the hub, or from an address of your own. */
  models?: readonly EmbeddingModelOption[];

  /**
   * Where models of the hub come from, for apps that mirror them.
   *
   * @default "https://huggingface.co/"
   */
  hubURL?: string | URL;

  /**
   * The folder with the files of ONNX Runtime, for apps whose bundler moves the package's files: copy
   * `node_modules/infetch/dist/ort` there.
   *
   * @default the `ort` folder beside the package's entry
   */
  runtimeURL?: string | URL;
}

/** The options with every default filled in, and what of them the server is built from. */
export interface ResolvedOptions {
  baseURL: URL;
  server: ServerOptions;
  /** Equal for options that would build the same server. */
  fingerprint: string;
}

/**
 * Fills in the defaults.
 *
 * @param entryURL address of the package's entry module, beside which its workers and models lie
 * @throws {TypeError} for an address that does not parse, or a number out of range
 */
export function resolveOptions(options: RuntimeOptions, entryURL: string): ResolvedOptions {
  const here = typeof document === "undefined" ? location.href : document.baseURI;
  const baseURL = new URL(options.baseURL ?? "/v1", options.baseURL === undefined ? location.origin : here);
  baseURL.pathname = baseURL.pathname.replace(/\/+$/, "");
  baseURL.search = "";
  baseURL.hash = "";
  const modelsURL = options.modelsURL ? folderURL(options.modelsURL, here) : new URL("models/", entryURL);
  const maxQueuedRequests = options.maxQueuedRequests ?? 256;
  if (!Number.isInteger(maxQueuedRequests) || maxQueuedRequests < 1) {
    throw new TypeError("maxQueuedRequests must be a whole number of at least 1.");
  }
  const server: ServerOptions = {
    modelsURL: modelsURL.href,
    engineURLs: {
      webllm: new URL("worker/webllm.js", entryURL).href,
      transformers: new URL("worker/transformers.js", entryURL).href,
    },
    embeddings: resolveEmbeddings(options.embeddings ?? {}, entryURL, here),
    maxQueuedRequests,
  };
  return { baseURL, server, fingerprint: JSON.stringify(server) };
}

const HUB_URL = "https://huggingface.co/";

function resolveEmbeddings(
  options: EmbeddingOptions,
  entryURL: string,
  here: string,
): EmbeddingServerOptions {
  const device = options.device ?? "auto";
  if (!["auto", "webgpu", "wasm"].includes(device)) {
    throw new TypeError(`embeddings.device must be "auto", "webgpu" or "wasm".`);
  }
  const models = (options.models ?? []).map((model) =>
    model.sourceURL === undefined ? model : { ...model, sourceURL: folderURL(model.sourceURL, here).href },
  );
  return {
    runtimeURL: (options.runtimeURL ? folderURL(options.runtimeURL, here) : new URL("ort/", entryURL)).href,
    hubURL: folderURL(options.hubURL ?? HUB_URL, here).href,
    device,
    models,
  };
}

/** With one slash at its end, so that names of files can be put behind it. */
function folderURL(address: string | URL, here: string): URL {
  return new URL(`${String(address).replace(/\/+$/, "")}/`, here);
}
