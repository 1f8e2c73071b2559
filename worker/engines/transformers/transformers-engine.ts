import {
  AutoModel,
  AutoTokenizer,
  type PreTrainedModel,
  type PreTrainedTokenizer,
  Tensor,
} from "@huggingface/transformers";
import { adapterName, requireWebGPU } from "../api/gpu.ts";
import type { EmbeddingDtype, EmbeddingModel, EmbeddingModelInfo, LoadProgress } from "../api/types.ts";
import { longestToken } from "../chat/text-bytes.ts";
import { type Asset, requireWebAssembly, withAssets } from "../scheduling/with-assets.ts";
import type { EmbeddingAttempt } from "./attempts.ts";
import { describeModel } from "./describe-model.ts";
import type { EmbeddingFiles } from "./embedding-files.ts";
import type { EmbeddingLoad } from "./embedding-wire.ts";
import { MODEL_ID, runtimeFiles, setUpLibrary } from "./environment.ts";
import { chooseVectors, type TextVectors } from "./text-vectors.ts";
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

  private constructor(
    tokenizer: PreTrainedTokenizer,
    model: PreTrainedModel,
    vectors: TextVectors,
    info: EmbeddingModelInfo,
  ) {
    this.#tokenizer = tokenizer;
    this.#model = model;
    this.#vectors = vectors;
    this.#padding = BigInt(tokenizer.pad_token_id ?? 0);
    this.info = info;
  }

  /** @throws {EngineError} or the library's own error */
  static async load(
    { model, attempt, runtimeURL }: EmbeddingLoad,
    onProgress: (progress: LoadProgress) => void,
  ): Promise<TransformersEngine> {
    const runtime = runtimeFiles(runtimeURL, attempt.device);
    requireWebAssembly(runtime.wasm);
    return withEmbeddingFiles(model, { dtype: attempt.dtype, onProgress }, (files) =>
      TransformersEngine.#load(model, attempt, runtime, files),
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
      const threads = await setUpLibrary(runtime, configuration.hidden_size ?? 0, (name) =>
        files.fetch(name),
      );
      const [tokenizer, network] = await loadNetwork(attempt).catch((error: unknown) => {
        // The library reports any failed fetch as "not found" and drops the cause.
        throw files.explain(error);
      });
      return { threads, tokenizer, network };
    });
    const vectors = await chooseVectors(model.id, modules, outputsOf(network), files);
    files.reportCompile();
    const gpu = attempt.device === "webgpu" ? adapterName(await requireWebGPU()) : undefined;
    const engine = new TransformersEngine(tokenizer, network, vectors, {
      dimensions: configuration.hidden_size ?? 0,
      maxTokens: Math.min(
        modules.maxTokens ?? Number.POSITIVE_INFINITY,
        tokenizer.model_max_length ?? Number.POSITIVE_INFINITY,
        configuration.max_position_embeddings ?? Number.POSITIVE_INFINITY,
      ),
      vocabularySize: configuration.vocab_size ?? 0,
      longestTokenBytes: longestToken(vocabularyOf(tokenizer), "raw"),
      ...attempt,
      ...(gpu === undefined ? {} : { gpu }),
      threads,
      pooling: vectors.pooling,
      normalized: modules.normalize,
      prefixes: modules.prefixes,
      ...shortestDimensions(model, configuration.matryoshka_dimensions),
      downloadBytes: files.loadedBytes,
      runsAlone: DYNAMIC.has(attempt.dtype),
      ...(modules.note === undefined ? {} : { notes: [modules.note] }),
    });
    return engine;
  }

  tokenize(texts: readonly string[], special: boolean): number[][] {
    return texts.map((text) => this.#tokenizer.encode(text, { add_special_tokens: special }));
  }

  async embed(inputs: readonly (readonly number[])[]): Promise<Float32Array[]> {
    const lengths = inputs.map((tokens) => tokens.length);
    const longest = Math.max(...lengths);
    const ids = new BigInt64Array(inputs.length * longest).fill(this.#padding);
    const mask = new BigInt64Array(inputs.length * longest);
    for (const [row, tokens] of inputs.entries()) {
      for (const [at, token] of tokens.entries()) ids[row * longest + at] = BigInt(token);
      mask.fill(1n, row * longest, row * longest + tokens.length);
    }
    const shape = [inputs.length, longest];
    const output = await this.#model({
      input_ids: new Tensor("int64", ids, shape),
      attention_mask: new Tensor("int64", mask, shape),
    });
    return this.#vectors.of(output, lengths);
  }
}

/** Returns a Map or an object, depending on the library's version. */
function vocabularyOf(tokenizer: PreTrainedTokenizer): Iterable<string> {
  const vocabulary: unknown = tokenizer.get_vocab();
  return vocabulary instanceof Map ? vocabulary.keys() : Object.keys(vocabulary as object);
}

async function loadNetwork(attempt: EmbeddingAttempt): Promise<[PreTrainedTokenizer, PreTrainedModel]> {
  const tokenizer = await AutoTokenizer.from_pretrained(MODEL_ID);
  return [tokenizer, await AutoModel.from_pretrained(MODEL_ID, { ...attempt })];
}

function shortestDimensions(model: EmbeddingModel, trained: unknown): { shortestDimensions?: number } {
  const listed = Array.isArray(trained) ? trained.filter((one) => Number.isSafeInteger(one) && one > 0) : [];
  const ofFile = listed.length > 0 ? Math.min(...listed) : undefined;
  const shortest = model.shortestDimensions ?? ofFile ?? model.knownRules?.shortestDimensions;
  return shortest === undefined ? {} : { shortestDimensions: shortest };
}

/** Names of the network's outputs. */
function outputsOf(network: PreTrainedModel): readonly string[] {
  const { model } = network.sessions as Record<string, { outputNames: readonly string[] } | undefined>;
  return model?.outputNames ?? [];
}
