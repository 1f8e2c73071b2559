import type { EmbeddingModelInfo } from "../../../engine-api/embedding-engine.ts";
import type { LoadProgress } from "../../../engine-api/load-progress.ts";
import type { ContextSettings, GgufFiles } from "../../../engine-api/model-files.ts";
import { type GgufValues, readMetadata } from "../../../model-store/gguf/metadata.ts";
import { requireAllParts } from "../../../model-store/gguf/parts.ts";
import type { LocalEmbeddingEngine } from "../../embeddings/embedding-endpoint.ts";
import type { ProbedLoad } from "../../embeddings/embedding-wire.ts";
import { fileTypeOf } from "../file-type.ts";
import { ASSETS_URL, llamaBuild } from "../llama-build.ts";
import { LlamaInstance } from "../llama-instance.ts";
import { DOWNLOAD_SHARE, fetchGguf, type GgufUse } from "../model-files.ts";
import { GgufTokenizer } from "../tokenizer/gguf-tokenizer.ts";
import { type Frame, frameOf } from "./embedding-frame.ts";
import { embeddingRules, type GgufEmbeddingRules, type RuledModel } from "./embedding-rules.ts";
import { type EmbeddingPlan, planEmbeddings } from "./plan-embeddings.ts";

/** What the server asks of a worker with llama.cpp for embeddings. */
export interface GgufEmbeddingLoad extends ProbedLoad {
  model: RuledModel;
  files: GgufFiles;
  /** Longest input, where the browser refused memory for more. @default as the model has */
  mostTokens?: number;
}

/** One embedding model in llama.cpp. Callers must run one input at a time. */
export class GgufEmbeddingEngine implements LocalEmbeddingEngine {
  readonly info: EmbeddingModelInfo;
  readonly #instance: LlamaInstance;
  readonly #tokenizer: GgufTokenizer;
  readonly #frame: Frame;

  private constructor(
    instance: LlamaInstance,
    tokenizer: GgufTokenizer,
    frame: Frame,
    info: EmbeddingModelInfo,
  ) {
    this.#instance = instance;
    this.#tokenizer = tokenizer;
    this.#frame = frame;
    this.info = info;
  }

  /** @throws {EngineError} or llama.cpp's own error */
  static async load(
    { model, files, mostTokens }: GgufEmbeddingLoad,
    onProgress: (progress: LoadProgress) => void,
  ): Promise<GgufEmbeddingEngine> {
    const plan = (
      metadata: GgufValues,
      sizes: readonly { size: number }[],
    ): [GgufEmbeddingRules, EmbeddingPlan] => {
      const rules = embeddingRules(metadata, model);
      const windows = windowsOf(rules, mostTokens);
      return [rules, planEmbeddings(metadata, sizes, { ...files, ...windows }, rules.pooling)];
    };
    const use: GgufUse = {
      requireKind: (metadata) => void embeddingRules(metadata, model),
      requireUsable: (metadata, sizes) => void plan(metadata, sizes),
    };
    const { parts, downloadBytes } = await fetchGguf({ ...llamaBuild(), use }, files, onProgress);
    const metadata = await readMetadata(parts[0]!);
    const [rules, planned] = plan(metadata, parts);
    requireAllParts(metadata, parts.length);
    const tokenizer = new GgufTokenizer(metadata);
    const { memoryBytes, neededBytes, batchTokens } = planned;
    const size = { loadedBytes: downloadBytes, totalBytes: downloadBytes };
    onProgress({ phase: "compile", ...size, fraction: DOWNLOAD_SHARE, memoryBytes, neededBytes });
    const instance = await LlamaInstance.load(parts, {
      assetsURL: ASSETS_URL,
      ...planned,
      onGPU: false,
      embedding: { pooling: rules.pooling, batchTokens },
    }).catch((error) => {
      throw tokenizer.explain(error);
    });
    const info = infoOf(metadata, rules, planned, tokenizer);
    return new GgufEmbeddingEngine(instance, tokenizer, frameOf(metadata, instance), {
      ...info,
      downloadBytes,
    });
  }

  tokenize(texts: readonly string[], special: boolean): number[][] {
    const { before, after } = special ? this.#frame : { before: [], after: [] };
    return texts.map((text) => [...before, ...this.#tokenizer.encode(text), ...after]);
  }

  async embed(inputs: readonly (readonly number[])[]): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (const tokens of inputs) vectors.push(await this.#instance.embed(tokens, this.info.normalized));
    return vectors;
  }
}

function windowsOf(
  { contextWindow, maxContextWindow = Number.POSITIVE_INFINITY }: GgufEmbeddingRules,
  mostTokens = Number.POSITIVE_INFINITY,
): ContextSettings {
  return {
    ...(contextWindow === undefined ? {} : { contextWindow }),
    maxContextWindow: Math.min(maxContextWindow, mostTokens),
  };
}

function infoOf(
  metadata: GgufValues,
  { pooling, normalize, prefixes, shortestDimensions, isCentered, notes }: GgufEmbeddingRules,
  { maxTokens, threads, notes: ofPlan }: EmbeddingPlan,
  tokenizer: GgufTokenizer,
): EmbeddingModelInfo {
  return {
    engine: "llamacpp",
    // Known from the first vector: dense layers change the length.
    dimensions: 0,
    maxTokens,
    vocabularySize: tokenizer.vocabularySize,
    longestTokenBytes: tokenizer.longestTokenBytes,
    device: "wasm",
    dtype: fileTypeOf(metadata),
    threads,
    pooling: pooling === "last" ? "last_token" : pooling,
    normalized: normalize,
    prefixes,
    ...(shortestDimensions === undefined ? {} : { shortestDimensions }),
    ...(isCentered ? { isCentered } : {}),
    runsAlone: true,
    notes: [...notes, ...ofPlan, ...tokenizer.notes],
  };
}
