import type { PreTrainedModel, PreTrainedTokenizer } from "@huggingface/transformers";
import type { EmbeddingModelInfo } from "../../engine-api/embedding-engine.ts";
import type { EmbeddingModel } from "../../engine-api/embedding-model.ts";
import { EngineError } from "../../engine-api/engine-error.ts";
import { adapterName, requireWebGPU } from "../../engine-api/gpu.ts";
import type { LoadProgress } from "../../engine-api/load-progress.ts";
import { browserEnvironment } from "../../model-store/environment.ts";
import { requireWebAssembly } from "../scheduling/with-assets.ts";
import type { EmbeddingAttempt } from "./attempts.ts";
import { describeModel } from "./describe-model.ts";
import type { EmbeddingLoad } from "./embedding-wire.ts";
import { type RuntimeFiles, runtimeFiles } from "./environment.ts";
import { flatFeeds, paddedFeeds, taskFeed } from "./feeds.ts";
import type { EmbeddingFiles } from "./files/embedding-files.ts";
import { withEmbeddingFiles } from "./files/with-embedding-files.ts";
import { type LoadedNetwork, loadNetwork, namesOf } from "./load-network.ts";
import { modelInfo } from "./model-info.ts";
import type { ModuleConfiguration } from "./modules/module-configuration.ts";
import { chooseVectors, isFlat, type TextVectors } from "./text-vectors.ts";

/** One unmodified transformers.js model. Callers must run one batch at a time. */
export class TransformersEngine {
  readonly info: EmbeddingModelInfo;
  readonly #tokenizer: PreTrainedTokenizer;
  readonly #model: PreTrainedModel;
  readonly #padding: bigint;
  readonly #vectors: TextVectors;
  /** Whether the network takes all tokens in one list. */
  readonly #isFlat: boolean;
  readonly #hasSpecialTokens: boolean;
  readonly #isLowerCase: boolean;

  private constructor(
    { tokenizer, network }: LoadedNetwork,
    { isLowerCase = false, staticFolder }: ModuleConfiguration,
    vectors: TextVectors,
    info: EmbeddingModelInfo,
  ) {
    this.#tokenizer = tokenizer;
    this.#model = network;
    this.#vectors = vectors;
    this.#padding = BigInt(tokenizer.pad_token_id ?? 0);
    this.#isFlat = isFlat(namesOf(network));
    this.#hasSpecialTokens = !this.#isFlat && staticFolder === undefined;
    this.#isLowerCase = isLowerCase;
    this.info = info;
  }

  /** @throws {EngineError} or the library's own error */
  static async load(
    { model, attempt, runtimeURL, isCacheOnly = false }: EmbeddingLoad,
    onProgress: (progress: LoadProgress) => void,
  ): Promise<TransformersEngine> {
    const runtime = runtimeFiles(runtimeURL, attempt.device);
    requireWebAssembly(runtime.wasm);
    const environment = { ...browserEnvironment(), isCacheOnly };
    const { device, dtype } = attempt;
    const mayReplace = device === "wasm" && model.mayReplaceDtypes === true;
    return withEmbeddingFiles(model, { dtype, mayReplace, onProgress, environment }, (files, dtype) =>
      TransformersEngine.#load(model, { device, dtype }, runtime, files),
    );
  }

  static async #load(
    model: EmbeddingModel,
    attempt: EmbeddingAttempt,
    runtime: RuntimeFiles,
    files: EmbeddingFiles,
  ): Promise<TransformersEngine> {
    const { configuration, modules } = await describeModel(model, files);
    const loaded = await loadNetwork(attempt, configuration, runtime, files);
    const vectors = await chooseVectors(model.id, modules, namesOf(loaded.network), files);
    files.reportCompile();
    const gpu = attempt.device === "webgpu" ? adapterName(await requireWebGPU()) : undefined;
    const downloadBytes = files.loadedBytes;
    const info = modelInfo({ model, attempt, configuration, modules, loaded, vectors, gpu, downloadBytes });
    return new TransformersEngine(loaded, modules, vectors, info);
  }

  tokenize(texts: readonly string[], special: boolean): number[][] {
    const options = { add_special_tokens: special && this.#hasSpecialTokens };
    return texts.map((text) =>
      this.#tokenizer.encode(this.#isLowerCase ? text.toLowerCase() : text, options),
    );
  }

  async embed(
    inputs: readonly (readonly number[])[],
    task = this.info.tasks?.document,
  ): Promise<Float32Array[]> {
    const lengths = inputs.map((tokens) => tokens.length);
    const feeds = this.#isFlat ? flatFeeds(inputs) : paddedFeeds(inputs, this.#padding);
    const output = await this.#model({ ...feeds, ...taskFeed(task) }).catch((error: unknown) => {
      throw needsOtherInputs(error) ?? error;
    });
    return this.#vectors.of(output, lengths);
  }
}

/** The library checks the inputs at each run: some networks need more, such as the number of a task. */
function needsOtherInputs(error: unknown): EngineError | undefined {
  const names = /Missing the following inputs: ([\w, ]+)/.exec(String(error))?.[1];
  if (names === undefined) return undefined;
  const message = `The model cannot be run: its network has inputs that are not supported (${names}).`;
  return new EngineError("unsupported_model", message, { param: "model" });
}
