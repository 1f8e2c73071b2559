/** One Wllama instance with one model, with workarounds for wllama's worker start and crash handling. */

import { type CacheManager, type RawCompletionChunk, Wllama } from "@wllama/wllama/esm/index.js";
import { Lifetime } from "../../../src/protocol/liveness/lifetime.ts";
import { EngineError } from "../../engine-api/engine-error.ts";
import { hasMemory64 } from "../../engine-api/wasm-features.ts";
import { endEngine } from "../scheduling/serve-engine.ts";
import { type Asset, withAssets } from "../scheduling/with-assets.ts";
import { completeWithFiles } from "./internals.ts";
import { type InstanceOptions, loadParameters } from "./load-parameters.ts";
import { type StaticWorker, withStaticWorkers } from "./static-workers.ts";

/** One step of a reply, as reported by llama.cpp. */
export interface CompletionStep {
  text: string;
  finishReason: "stop" | "length" | null;
  /** Tokens of the whole prompt. */
  promptTokens: number;
  cachedTokens: number;
  completionTokens: number;
  logprobs: readonly ReportedToken[];
}

export interface ReportedToken {
  id: number;
  token: string;
  bytes: number[];
  logprob: number;
  top_logprobs?: readonly ReportedToken[];
}

/** Models are passed as Blobs; the library's own store requires OPFS, which some browsers lack. */
const NO_STORE = {} as CacheManager;

/** llama.cpp's logs are for its developers. */
const SILENT = { debug() {}, log() {}, warn() {}, error() {} };

export class LlamaInstance {
  readonly #wllama: Wllama;
  /** Lifetime of the library's worker: the library does not detect its end. */
  readonly #lifetime: Lifetime;
  readonly addsBos: boolean;
  readonly bosToken: number;
  readonly addsEos: boolean;
  readonly eosToken: number;
  /** Tokens that end a reply. */
  readonly endTokens: ReadonlySet<number>;
  readonly threads: number;
  /** Stands for an image in a prompt; undefined if the model takes none. */
  readonly mediaMarker?: string;
  /** Tokens of replies, and batches of prompts. */
  passes = 0;

  private constructor(wllama: Wllama, lifetime: Lifetime, threads: number) {
    const info = wllama.getLoadedContextInfo();
    this.#wllama = wllama;
    this.#lifetime = lifetime;
    this.addsBos = info.add_bos_token;
    this.bosToken = info.token_bos;
    this.addsEos = info.add_eos_token;
    this.eosToken = info.token_eos;
    this.endTokens = new Set(info.list_tokens_eog);
    this.threads = threads;
    if (wllama.supportInputModality("image")) {
      this.mediaMarker = (info as unknown as { media_marker: string }).media_marker;
    }
  }

  /**
   * @throws {EngineError} `model_load_failed`, `assets_not_found`, `engine_unavailable` without the WebGPU device that
   * `onGPU` demands; or the library's own error
   */
  static async load(parts: readonly Blob[], options: InstanceOptions): Promise<LlamaInstance> {
    const compat = needsCompat();
    const folder = llamaFolder(options.assetsURL);
    const { threads, onGPU, projector } = options;
    const wllama = new Wllama(
      { default: wasmIn(folder) },
      { logger: SILENT, suppressNativeLog: true, cacheManager: NO_STORE },
    );
    // The static worker contains the code; fields that are not set here would load from a CDN.
    wllama.setCompat(compat ? { worker: { code: " " }, wasm: wasmIn(folder) } : null);
    let device: { refusal?: string | undefined } | undefined;
    const lifetime = new Lifetime();
    const worker: StaticWorker = {
      url: `${folder}worker.js`,
      threads: threads > 1 ? threads : 0,
      onGPU,
      onDevice: (refusal) => {
        device = { refusal };
      },
      onFault: endEngine,
      onEnd: (reason) => lifetime.end(new Error(`${reason}.`)),
    };
    const load = () =>
      wllama.loadModel([...parts, ...(projector ? [projector] : [])], loadParameters(options));
    const loading = withStaticWorkers(worker, load);
    try {
      await withAssets(assetsIn(folder, threads), () => lifetime.within(loading));
      requireLoaded(wllama, projector !== undefined);
      // Without a device, llama.cpp continues in WebAssembly without an error.
      if (onGPU && !device) throw noDevice("no adapter");
      return new LlamaInstance(wllama, lifetime, threads);
    } catch (error) {
      loading.catch(() => {});
      await wllama.exit();
      // A refused device makes the load fail without naming the cause.
      throw device?.refusal === undefined ? error : noDevice(device.refusal, error);
    }
  }

  /**
   * Runs one completion. `onStep` is called between steps and may abort; the promise then resolves once the model is
   * free.
   *
   * @param files images for the markers in the prompt
   * @throws {EngineError} or the library's own error; the instance is then unusable unless it refused the images
   */
  async complete(
    request: Record<string, unknown>,
    files: readonly Uint8Array[],
    onStep: (step: CompletionStep) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const options = {
      abortSignal: signal,
      onData: (chunk: RawCompletionChunk) => {
        this.passes++;
        onStep(toStep(chunk));
      },
    };
    const completion =
      files.length > 0
        ? completeWithFiles(this.#wllama, request, files, options)
        : this.#wllama.createCompletion({ ...(request as { prompt: string }), stream: true, ...options });
    try {
      await this.#lifetime.within(completion);
    } catch (error) {
      if (signal.aborted && (error as Error).name === "AbortError") return;
      completion.catch(() => {});
      throw error;
    }
  }

  /**
   * Returns the vector of one input, pooled as the instance was loaded for.
   *
   * @param tokens with the model's special tokens
   * @throws the library's own error; the instance is then unusable
   */
  async embed(tokens: readonly number[], normalize: boolean): Promise<Float32Array> {
    // The norms of llama.cpp: 2 is Euclid's, -1 leaves the vector as it is.
    const request = { input: [...tokens], embd_normalize: normalize ? 2 : -1 };
    const { data } = await this.#lifetime.within(this.#wllama.createEmbedding(request));
    // JSON has null for numbers that are not finite.
    return Float32Array.from(data[0]!.embedding as number[], (value) => value ?? Number.NaN);
  }

  /** Ends the library's worker, which frees all its memory. */
  async exit(): Promise<void> {
    await this.#wllama.exit();
  }
}

/** `loadModel` also resolves for unreadable files. @throws {EngineError} `model_load_failed` */
function requireLoaded(wllama: Wllama, hasProjector: boolean): void {
  const info = wllama.getLoadedContextInfo() as { success?: boolean; n_vocab: number };
  if (info.success && info.n_vocab >= 1) return;
  const what = hasProjector ? "file, or its projector, which must belong to it" : "file";
  throw new EngineError("model_load_failed", `llama.cpp could not read the model's ${what}.`);
}

function noDevice(reason: string, cause?: unknown): EngineError {
  const message = `The browser gave llama.cpp no WebGPU device (${reason}). Reload the page, or set llamacpp.device to "auto".`;
  return new EngineError("engine_unavailable", message, { cause });
}

/** The asset files of one build. */
function assetsIn(folder: string, threads: number): Asset[] {
  const scripts = threads > 1 ? ["worker.js", "thread.js"] : ["worker.js"];
  return [...scripts.map((name): Asset => [folder + name, "worker"]), [wasmIn(folder), "wasm"]];
}

/** Folder of the build that this browser can run, with a trailing slash. */
export function llamaFolder(assetsURL: string): string {
  return needsCompat() ? `${assetsURL}compat/` : assetsURL;
}

export function wasmIn(folder: string): string {
  return `${folder}wllama.wasm`;
}

/** Without 64-bit memory (Safari), only the compat build runs. Without JSPI, the main build keeps files in memory. */
export function needsCompat(): boolean {
  return !hasMemory64();
}

function toStep(chunk: RawCompletionChunk): CompletionStep {
  const choice = chunk.choices[0];
  const { cache_n = 0, prompt_n = 0, predicted_n = 0 } = chunk.timings ?? {};
  const { prompt_progress: read } = chunk as { prompt_progress?: { total: number; cache: number } };
  const logprobs = choice?.logprobs as { content?: ReportedToken[] } | null | undefined;
  return {
    text: choice?.text ?? "",
    finishReason: choice?.finish_reason === "length" ? "length" : choice?.finish_reason ? "stop" : null,
    promptTokens: read?.total ?? cache_n + prompt_n,
    cachedTokens: read?.cache ?? cache_n,
    completionTokens: predicted_n,
    logprobs: logprobs?.content ?? [],
  };
}
