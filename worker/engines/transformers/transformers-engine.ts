import {
  AutoModel,
  AutoTokenizer,
  PreTrainedModel,
  type PreTrainedTokenizer,
} from "@huggingface/transformers";
import { browserEnvironment } from "../../model-store/environment.ts";
import type { EmbeddingModelInfo } from "../api/embedding-engine.ts";
import type { EmbeddingDtype, EmbeddingModel } from "../api/embedding-model.ts";
import { EngineError } from "../api/engine-error.ts";
import { adapterName, requireWebGPU } from "../api/gpu.ts";
import type { LoadProgress } from "../api/load-progress.ts";
import { longestToken } from "../chat/text-bytes.ts";
import { type Asset, requireWebAssembly, withAssets } from "../scheduling/with-assets.ts";
import type { EmbeddingAttempt } from "./attempts.ts";
import { describeModel } from "./describe-model.ts";
import type { EmbeddingFiles } from "./embedding-files.ts";
import type { EmbeddingLoad } from "./embedding-wire.ts";
import { MODEL_ID, runtimeFiles, setUpLibrary } from "./environment.ts";
import { flatFeeds, paddedFeeds, taskFeed } from "./feeds.ts";
import type { ModuleConfiguration } from "./module-configuration.ts";
import { isEncoderOnly, type NetworkConfiguration, positionsOf, widthOf } from "./network-configuration.ts";
import { TASK_INPUT } from "./tasks.ts";
import { chooseVectors, hasFixedBatch, isFlat, type NetworkNames, type TextVectors } from "./text-vectors.ts";
import { isPartOf, libraryNames, weightsFile } from "./weights-files.ts";
import { withEmbeddingFiles } from "./with-embedding-files.ts";

/** Graphs of these dtypes quantise activations over the whole batch (DynamicQuantizeLinear). */
const DYNAMIC: ReadonlySet<EmbeddingDtype> = new Set<EmbeddingDtype>(["q8"]);

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
    tokenizer: PreTrainedTokenizer,
    model: PreTrainedModel,
    { isLowerCase = false, staticFolder }: ModuleConfiguration,
    vectors: TextVectors,
    info: EmbeddingModelInfo,
  ) {
    this.#tokenizer = tokenizer;
    this.#model = model;
    this.#vectors = vectors;
    this.#padding = BigInt(tokenizer.pad_token_id ?? 0);
    this.#isFlat = isFlat(namesOf(model));
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
    runtime: { mjs: string; wasm: string },
    files: EmbeddingFiles,
  ): Promise<TransformersEngine> {
    const { configuration, modules } = await describeModel(model, files);
    const assets: Asset[] = [
      [runtime.mjs, "module"],
      [runtime.wasm, "wasm"],
    ];
    const { threads, tokenizer, network } = await withAssets(assets, async () => {
      const threads = await setUpLibrary(runtime, widthOf(configuration), (name) => files.fetch(name));
      // The library never ends a load that lacks a second file of the weights.
      const loading = Promise.race([loadNetwork(attempt, configuration, files), files.lostPart]);
      const [tokenizer, network] = await loading.catch((error: unknown) => {
        // The library reports any failed fetch as "not found" and drops the cause.
        throw files.explain(error);
      });
      return { threads, tokenizer, network };
    });
    const vectors = await chooseVectors(model.id, modules, namesOf(network), files);
    files.reportCompile();
    const gpu = attempt.device === "webgpu" ? adapterName(await requireWebGPU()) : undefined;
    const vocabulary = vocabularyOf(tokenizer);
    const engine = new TransformersEngine(tokenizer, network, modules, vectors, {
      dimensions: widthOf(configuration),
      maxTokens: Math.min(
        modules.maxTokens ?? Number.POSITIVE_INFINITY,
        tokenizer.model_max_length ?? Number.POSITIVE_INFINITY,
        positionsOf(configuration) ?? Number.POSITIVE_INFINITY,
      ),
      vocabularySize: configuration.vocab_size ?? vocabulary.length,
      longestTokenBytes: longestToken(vocabulary, "raw"),
      ...attempt,
      ...(gpu === undefined ? {} : { gpu }),
      threads,
      pooling: vectors.pooling,
      normalized: modules.normalize,
      prefixes: modules.prefixes,
      ...(modules.prompts ? { prompts: modules.prompts } : {}),
      ...(modules.tasks && namesOf(network).inputNames.includes(TASK_INPUT) ? { tasks: modules.tasks } : {}),
      ...shortestDimensions(model, configuration.matryoshka_dimensions),
      ...(model.knownRules?.isCentered ? { isCentered: true } : {}),
      downloadBytes: files.loadedBytes,
      runsAlone: DYNAMIC.has(attempt.dtype) || hasFixedBatch(namesOf(network)),
      ...(modules.note === undefined ? {} : { notes: [modules.note] }),
    });
    return engine;
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

/** Returns a Map or an object, depending on the library's version. */
function vocabularyOf(tokenizer: PreTrainedTokenizer): string[] {
  const vocabulary: unknown = tokenizer.get_vocab();
  return vocabulary instanceof Map ? [...vocabulary.keys()] : Object.keys(vocabulary as object);
}

async function loadNetwork(
  attempt: EmbeddingAttempt,
  configuration: NetworkConfiguration,
  files: EmbeddingFiles,
): Promise<[PreTrainedTokenizer, PreTrainedModel]> {
  const tokenizer = await AutoTokenizer.from_pretrained(MODEL_ID);
  const weights = weightsFile(attempt.dtype, files.known);
  // The library takes these where the model's configuration does not say that there are more files.
  const externalData = files.known
    .filter(({ name }) => isPartOf(weights, name))
    .map(({ name: data }) => ({ path: data.replace(/^.*\//, ""), data }));
  const options = {
    device: attempt.device,
    ...libraryNames(weights, attempt.dtype),
    ...(externalData.length > 0 ? { session_options: { externalData } } : {}),
  };
  const library = isEncoderOnly(configuration) ? PreTrainedModel : AutoModel;
  return [tokenizer, await library.from_pretrained(MODEL_ID, options)];
}

function shortestDimensions(model: EmbeddingModel, trained: unknown): { shortestDimensions?: number } {
  const listed = Array.isArray(trained) ? trained.filter((one) => Number.isSafeInteger(one) && one > 0) : [];
  const ofFile = listed.length > 0 ? Math.min(...listed) : undefined;
  const shortest = model.shortestDimensions ?? ofFile ?? model.knownRules?.shortestDimensions;
  return shortest === undefined ? {} : { shortestDimensions: shortest };
}

/** Names of the network's inputs and outputs. */
function namesOf(network: PreTrainedModel): NetworkNames {
  const { model } = network.sessions as Record<string, NetworkNames | undefined>;
  return model ?? { inputNames: [], outputNames: [] };
}
