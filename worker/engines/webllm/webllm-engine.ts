import { type ChatCompletionChunk, MLCEngine } from "@mlc-ai/web-llm";
import { EngineError } from "../api/engine-error.ts";
import { adapterName, requireWebGPU, webllmLimits } from "../api/gpu.ts";
import type { ChatModelFacts, EngineStep, GenerateRequest, LoadProgress, ModelFiles } from "../api/types.ts";
import { UniformNumbers } from "../chat/random-stream.ts";
import { readSamplingDefaults } from "../chat/read-sampling-defaults.ts";
import { ReplyRecorder } from "../chat/reply-recorder.ts";
import { longestToken } from "../chat/text-bytes.ts";
import type { TokenForm } from "../chat/token-bytes.ts";
import { requireWebAssembly } from "../scheduling/with-assets.ts";
import { describeTokens } from "./describe-tokens.ts";
import { EndTokens } from "./end-tokens.ts";
import { type Pipeline, pipelineOf } from "./internals.ts";
import { KvMirror, type PromptPlan } from "./kv-mirror.ts";
import { DOWNLOAD_SHARE, type PlacedModel, placeModelFiles } from "./model-files.ts";
import { PromptTokens } from "./prompt-tokens.ts";
import { conversationTemplate, prefixTokens, rawConversation } from "./raw-conversation.ts";
import { readTemplate } from "./template.ts";
import { needsProcessor, TokenProcessor } from "./token-processor.ts";
import { webllmRequest } from "./webllm-request.ts";

/** Names and versions, set by the build (`scripts/build.ts`, `define`). */
declare const __ENGINE_BUILD__: string;

/** web-llm's id for this worker's single model. */
const MODEL_ID = "model";

/** One unmodified MLCEngine with one model. Callers must run one request at a time. */
export class WebllmEngine {
  readonly #engine: MLCEngine;
  readonly #pipeline: Pipeline;
  readonly #mirror = new KvMirror();
  /** Tokens that the model prepends to every prompt. */
  readonly #prefix: readonly number[];
  readonly #prompts: PromptTokens;
  readonly #tokenForm: TokenForm;
  readonly facts: ChatModelFacts;

  private constructor(
    engine: MLCEngine,
    {
      config,
      tokenizerConfig,
      generationConfig,
      specialTokens,
      fingerprint,
      downloadBytes,
      context,
    }: PlacedModel,
    device: string,
  ) {
    this.#engine = engine;
    this.#pipeline = pipelineOf(engine, MODEL_ID);
    this.#prefix = prefixTokens(config);
    this.#prompts = new PromptTokens(this.#pipeline.tokenizer);
    const { token_postproc_method: form } = (config.tokenizer_info ?? {}) as {
      token_postproc_method?: TokenForm;
    };
    this.#tokenForm = form ?? "raw";
    const { template, fault } = readTemplate(tokenizerConfig, this.#prefix.length > 0);
    const recommendedSampling = readSamplingDefaults({ ...config, ...generationConfig });
    this.facts = {
      engine: "webllm",
      fingerprint,
      contextWindow: this.#pipeline.contextWindowSize,
      maxContextWindow: context.maxContextWindow,
      vocabularySize: this.#pipeline.fullVocabSize,
      longestTokenBytes: longestToken(tokensOf(this.#pipeline), this.#tokenForm),
      ...(template ? { template } : { conversation: conversationTemplate(config) }),
      ...(recommendedSampling ? { recommendedSampling } : {}),
      notes: [...context.notes, ...(fault ? [fault] : [])],
      specialTokens,
      device,
      downloadBytes,
    };
  }

  /** @throws {EngineError} */
  static async load(files: ModelFiles, onProgress: (progress: LoadProgress) => void): Promise<WebllmEngine> {
    requireWebAssembly(new URL(files.library, files.sourceURL).href);
    const adapter = await requireWebGPU({
      features: files.features,
      limits: webllmLimits(files.bufferBytes),
    });
    const build = { name: __ENGINE_BUILD__, limits: adapter.limits };
    const placed = await placeModelFiles(build, files, onProgress);
    const bytes = placed.downloadBytes;
    const engine = new MLCEngine({
      appConfig: {
        model_list: [{ model_id: MODEL_ID, model: placed.modelURL, model_lib: placed.libraryURL }],
      },
      logLevel: "SILENT",
      initProgressCallback: ({ progress }) =>
        onProgress({
          memoryBytes: placed.context.memoryBytes,
          phase: "compile",
          loadedBytes: bytes,
          totalBytes: bytes,
          fraction: DOWNLOAD_SHARE + (1 - DOWNLOAD_SHARE) * progress,
        }),
    });
    await engine.reload(MODEL_ID, {
      ...rawConversation(placed.config),
      ...files.overrides,
      context_window_size: placed.context.contextWindow,
      sliding_window_size: -1,
    });
    return new WebllmEngine(engine, placed, `webgpu: ${adapterName(adapter)}`);
  }

  countTokens(prompt: string | readonly number[]): number {
    return this.#prompts.count(prompt) + this.#prefix.length;
  }

  get retainedTokens(): number {
    return this.#mirror.length;
  }

  decode(tokens: readonly number[]): string {
    return this.#pipeline.tokenizer.decode(Int32Array.from(tokens));
  }

  /** @throws {EngineError} or web-llm's own error */
  async *generate(request: GenerateRequest, signal: AbortSignal): AsyncGenerator<EngineStep, void> {
    const text = this.#prompts.asText(request.prompt);
    const encode = (part: string) => this.#prompts.encode(part);
    const plan = this.#mirror.plan(request.cacheScope, text, encode, this.#prefix.length);
    if (plan.promptTokens >= this.facts.contextWindow) {
      throw new EngineError("context_length_exceeded", `The prompt has ${plan.promptTokens} tokens.`);
    }
    const { sampling, topLogprobs } = request;
    const { stopTokens } = this.#pipeline;
    const ends = new EndTokens(
      sampling,
      sampling.ignoreEos ? [] : stopTokens,
      request.constraint !== undefined,
    );
    const processor = needsProcessor(sampling, topLogprobs)
      ? new TokenProcessor(sampling, topLogprobs, [...this.#prefix, ...plan.tokens], ends)
      : undefined;
    const recorder = new ReplyRecorder(request.reader);
    const usage = () => ({
      ...recorder.usage(),
      promptTokens: plan.promptTokens,
      cachedTokens: plan.cachedTokens,
    });
    this.#pipeline.logitProcessor = processor;
    const numbers = new UniformNumbers(request.stream);
    this.#pipeline.tvm.rng = { randomFloat: () => numbers.next() };
    const hasEnded = (): boolean => recorder.ended || ends.stopped;
    let reason = "abort";
    try {
      for await (const chunk of this.#chunks(plan, request, () => signal.aborted || hasEnded())) {
        const choice = chunk.choices[0];
        reason = choice?.finish_reason ?? reason;
        const sampled = describeTokens(processor?.take() ?? [], this.#pipeline.tokenizer, this.#tokenForm);
        const tokens = this.#pipeline.getCurRoundCompletionTotalTokens();
        // Omit the stop token's text, like that of a stop string.
        const isCut = ends.stopped && !request.reader.includeStop;
        const step = isCut
          ? recorder.take("", tokens, [])
          : recorder.take(choice?.delta.content ?? "", tokens, sampled);
        if (step.events.length > 0 && !signal.aborted) yield { type: "reply", ...step, usage: usage() };
      }
    } finally {
      this.#pipeline.logitProcessor = undefined;
    }
    this.#remember(reason);
    const last = recorder.finish();
    if (last.events.length > 0 && !signal.aborted) yield { type: "reply", ...last, usage: usage() };
    const ended = hasEnded() ? "stop" : reason === "stop" || reason === "length" ? reason : "abort";
    const whole = reason === "stop" && !hasEnded();
    yield {
      type: "finish",
      reason: ended,
      usage: usage(),
      ...(whole ? { raw: this.#pipeline.getMessage() } : {}),
    };
  }

  /** Yields web-llm's chunks. Once `ended` returns true, web-llm is interrupted before the next step and drained. */
  async *#chunks(plan: PromptPlan, request: GenerateRequest, ended: () => boolean) {
    if (plan.reset) await this.#engine.resetChat();
    const iterable: AsyncIterable<ChatCompletionChunk> = await this.#engine.chat.completions.create(
      webllmRequest(plan, request),
    );
    const chunks = iterable[Symbol.asyncIterator]();
    try {
      while (true) {
        // The prefill resets web-llm's interrupt flag, so set it before each step.
        if (ended()) this.#engine.interruptGenerate();
        const { done, value } = await chunks.next();
        if (done) return;
        yield value;
      }
    } finally {
      // An abandoned iterator would block the model permanently.
      await chunks.return?.(undefined);
    }
  }

  /** The cache holds exactly prompt and reply only after the model's own end token. */
  #remember(reason: string): void {
    const { outputIds, tokenizer } = this.#pipeline;
    const reply = this.#pipeline.getMessage();
    // A stop string of the template truncates the text but not the cache.
    const uncut = tokenizer.decode(Int32Array.from(outputIds)) === reply;
    if (reason === "stop" && uncut) this.#mirror.keep(reply, outputIds);
  }
}

/** All tokens of the vocabulary; padding at its end yields empty strings. */
function* tokensOf({ tokenizer, fullVocabSize }: Pipeline): Generator<string, void> {
  for (let id = 0; id < fullVocabSize; id++) yield tokenizer.idToToken(id) ?? "";
}
