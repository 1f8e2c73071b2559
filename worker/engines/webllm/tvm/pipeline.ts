/**
 * Private members of web-llm 0.2.86. Only this folder names those of its TVM runtime. They are checked at load,
 * although the version is pinned, because a silent change would bill wrong token counts or corrupt the KV cache.
 */

import type { LogitProcessor, MLCEngine, ResponseFormat } from "@mlc-ai/web-llm";

export interface Tokenizer {
  encode(text: string): Int32Array;
  decode(ids: Int32Array): string;
  idToToken(id: number): string;
}

/** A TVM object with a reference count. */
export interface Disposable {
  dispose(): void;
}

/** A tensor; on the GPU unless allocated on the CPU. */
export interface Tensor extends Disposable {
  readonly shape: readonly number[];
  copyFrom(source: Tensor | ArrayLike<number>): Tensor;
  view(shape: readonly number[]): Tensor;
  /** A copy of the numbers; tensors on the CPU only. */
  toArray(): Float32Array | Int32Array;
}

/** What a model function with several results returns. */
export interface TensorList extends Disposable {
  get(index: number): Tensor;
}

/** A function of the model library or of TVM's runtime. Its results belong to the current scope. */
export type TvmFunction = ((...parameters: unknown[]) => unknown) & Disposable;

/** web-llm's TVM instance. */
export interface Runtime {
  beginScope(): void;
  endScope(): void;
  detachFromCurrentScope<T>(object: T): T;
  getGlobalFunc(name: string): TvmFunction;
  empty(shape: readonly number[], type: "float32" | "int32", device: unknown): Tensor;
  makeShapeTuple(shape: readonly number[]): unknown;
  /** A typed number: plain ones become floats. */
  scalar(value: number, type: "int64"): unknown;
  cpu(): unknown;
  /** Returns a number in (0, 1); called once per token by web-llm's own sampler. */
  rng: { randomFloat(): number };
}

/** xgrammar's state of one constrained reply. */
export interface GrammarMatcher {
  getNextTokenBitmask(): Promise<Int32Array>;
  /** Returns false for a token that the grammar forbids. */
  acceptToken(id: number): boolean;
  dispose(): void;
}

export interface Pipeline {
  tokenizer: Tokenizer;
  outputIds: number[];
  stopTokens: number[];
  stopStr: string[];
  contextWindowSize: number;
  slidingWindowSize: number;
  prefillChunkSize: number;
  fullVocabSize: number;
  bitmaskSize: number;
  logitProcessor: LogitProcessor | undefined;
  getCurRoundCompletionTotalTokens(): number;
  getMessage(): string;
  resetChat(): void;
  tvm: Runtime;
  device: { sync(): Promise<void> };
  vm: { getFunction(name: string): TvmFunction };
  params: unknown;
  kvCache: Disposable | undefined;
  resolvedModelABI: { needsKVCache: boolean; needsRNNState: boolean };
  embed: TvmFunction;
  fapplyBitmask: TvmFunction;
  fapplyLogitBias: TvmFunction;
  fapplyPenalty: TvmFunction;
  fsoftmaxWithTemperature: TvmFunction;
  fargsortProbs: TvmFunction;
  fsampleWithTopP: TvmFunction;
  fclearKVCaches: TvmFunction;
  fKVCacheAddSequence: TvmFunction;
  fKVCacheRemoveSequence: TvmFunction;
  fKVCacheBeginForward: TvmFunction;
  fKVCacheEndForward: TvmFunction;
  /** Runs a chunk of one sequence with the library's own function for it. */
  invokePrefill(embeddings: Tensor, length: number): TensorList;
  /** The same for one token. */
  invokeDecode(embeddings: Tensor): TensorList;
  grammarMatcher: GrammarMatcher | undefined;
  /** Undefined before the first grammar. */
  grammarCompiler: { handle: { ClearCache(): void } } | undefined;
  /** Sets {@link grammarMatcher}; an unused one of the same format is reset and taken. */
  prepareGrammarMatcherForSampling(config: { response_format: ResponseFormat }): Promise<void> | undefined;
  dispose(): void;
}

const TYPES: Readonly<Record<string, readonly (keyof Pipeline)[]>> = {
  number: ["contextWindowSize", "slidingWindowSize", "prefillChunkSize", "fullVocabSize", "bitmaskSize"],
  object: ["tokenizer", "outputIds", "stopTokens", "stopStr", "tvm", "device", "vm", "resolvedModelABI"],
  function: [
    "getCurRoundCompletionTotalTokens",
    "getMessage",
    "resetChat",
    "embed",
    "fapplyBitmask",
    "fapplyLogitBias",
    "fapplyPenalty",
    "fsoftmaxWithTemperature",
    "fargsortProbs",
    "fsampleWithTopP",
    "fclearKVCaches",
    "fKVCacheAddSequence",
    "fKVCacheRemoveSequence",
    "fKVCacheBeginForward",
    "fKVCacheEndForward",
    "invokePrefill",
    "invokeDecode",
    "prepareGrammarMatcherForSampling",
    "dispose",
  ],
};

const RUNTIME: readonly (keyof Runtime)[] = [
  "beginScope",
  "endScope",
  "detachFromCurrentScope",
  "getGlobalFunc",
  "empty",
  "makeShapeTuple",
  "scalar",
  "cpu",
];

/**
 * The pipeline of a loaded model.
 *
 * @throws {Error} if it is not loaded, or if this build of web-llm has other members
 */
export function pipelineOf(engine: MLCEngine, modelId: string): Pipeline {
  const pipelines = (engine as unknown as { loadedModelIdToPipeline?: Map<string, Pipeline> })
    .loadedModelIdToPipeline;
  const pipeline = pipelines?.get(modelId);
  // After an aborted load, web-llm resolves as if the model were loaded.
  if (!pipeline) throw new Error("web-llm did not load the model.");
  const missing = missingMembers(pipeline);
  if (missing.length > 0)
    throw new Error(`This build of web-llm has other internals than 0.2.86: ${missing.join(", ")}.`);
  return pipeline;
}

/** Names of the members that are absent or of another type. */
export function missingMembers(pipeline: Pipeline): string[] {
  const isFunction = (value: unknown): boolean => typeof value === "function";
  const { tvm, tokenizer } = pipeline;
  const own = Object.entries(TYPES).flatMap(([type, names]) =>
    names.filter((name) => typeof pipeline[name] !== type || pipeline[name] === null),
  );
  return [
    ...own,
    ...RUNTIME.filter((name) => !isFunction(tvm?.[name])).map((name) => `tvm.${name}`),
    ...(isFunction(tvm?.rng?.randomFloat) ? [] : ["tvm.rng"]),
    ...(isFunction(tokenizer?.encode) && isFunction(tokenizer?.idToToken) ? [] : ["tokenizer.encode"]),
    ...(isFunction(pipeline.device?.sync) ? [] : ["device.sync"]),
    ...(isFunction(pipeline.vm?.getFunction) ? [] : ["vm.getFunction"]),
  ];
}
