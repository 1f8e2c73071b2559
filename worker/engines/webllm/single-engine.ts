import type { ChatCompletionChunk, MLCEngine } from "@mlc-ai/web-llm";
import { EngineError } from "../api/engine-error.ts";
import type { ChatModelFacts, EngineStep, GenerateRequest } from "../api/types.ts";
import { UniformNumbers } from "../chat/random-stream.ts";
import { ReplyRecorder } from "../chat/reply-recorder.ts";
import type { LocalChatEngine } from "../chat/serve-chat-engine.ts";
import type { TokenForm } from "../chat/token-bytes.ts";
import { describeTokens } from "./describe-tokens.ts";
import { EndTokens, ignoresEnds } from "./end-tokens.ts";
import { KvMirror, type PromptPlan } from "./kv-mirror.ts";
import type { LoadedModel } from "./load-model.ts";
import { type PromptTokens, withoutPrefix } from "./prompt-tokens.ts";
import { TextDelta } from "./text-delta.ts";
import { needsProcessor, TokenProcessor } from "./token-processor.ts";
import { makeRoomFor } from "./tvm/compiled-grammars.ts";
import type { Pipeline } from "./tvm/pipeline.ts";
import { webllmRequest } from "./webllm-request.ts";

/**
 * Drives web-llm's chat API, which keeps one conversation: for models that {@link BatchEngine} cannot run. Callers
 * must run one request at a time.
 */
export class SingleEngine implements LocalChatEngine {
  readonly #engine: MLCEngine;
  readonly #pipeline: Pipeline;
  readonly #mirror = new KvMirror();
  readonly #prefix: readonly number[];
  readonly #prompts: PromptTokens;
  readonly #tokenForm: TokenForm;
  readonly facts: ChatModelFacts;
  #passes = 0;

  constructor({ engine, pipeline, prefix, prompts, tokenForm, facts }: LoadedModel) {
    this.#engine = engine;
    this.#pipeline = pipeline;
    this.#prefix = prefix;
    this.#prompts = prompts;
    this.#tokenForm = tokenForm;
    this.facts = facts;
  }

  countTokens(prompt: string | readonly number[]): number {
    return this.#prompts.count(withoutPrefix(prompt, this.#prefix)) + this.#prefix.length;
  }

  get retainedTokens(): number {
    return this.#mirror.length;
  }

  decode(tokens: readonly number[]): string {
    return this.#pipeline.tokenizer.decode(Int32Array.from(tokens));
  }

  get passes(): number {
    return this.#passes;
  }

  /** @throws {EngineError} or web-llm's own error */
  async *generate(request: GenerateRequest, signal: AbortSignal): AsyncGenerator<EngineStep, void> {
    const text = this.#prompts.asText(withoutPrefix(request.prompt, this.#prefix));
    const encode = (part: string) => this.#prompts.encode(part);
    const plan = this.#mirror.plan(request.cacheScope, text, encode, this.#prefix.length);
    if (plan.promptTokens >= this.facts.contextWindow) {
      throw new EngineError("context_length_exceeded", `The prompt has ${plan.promptTokens} tokens.`);
    }
    const { sampling, topLogprobs } = request;
    const { stopTokens } = this.#pipeline;
    const ends = new EndTokens(
      sampling,
      ignoresEnds(request) ? [] : stopTokens,
      request.constraint !== undefined,
      // Part of a character makes no chunk, after which it could be interrupted.
      () => this.#engine.interruptGenerate(),
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
    const delta = new TextDelta(ignoresEnds(request) ? [] : this.#pipeline.stopStr);
    let message = "";
    let reason = "abort";
    try {
      for await (const chunk of this.#chunks(plan, request, () => signal.aborted || hasEnded())) {
        const choice = chunk.choices[0];
        reason = choice?.finish_reason ?? reason;
        const sampled = describeTokens(processor?.take() ?? [], this.#pipeline.tokenizer, this.#tokenForm);
        const tokens = this.#pipeline.getCurRoundCompletionTotalTokens();
        // Omit the stop token's text, like that of a stop string.
        const isCut = ends.stopped && !request.reader.includeStop;
        if (!isCut) message = this.#pipeline.getMessage();
        // web-llm's own delta lacks part of a character that the model ends with, and has parts of stop texts.
        const isEnd = ends.stopped || choice?.finish_reason === "stop";
        const end = isEnd ? "stop" : choice?.finish_reason ? "length" : undefined;
        const step = recorder.take(choice ? delta.next(message, end) : "", tokens, isCut ? [] : sampled);
        if (step.events.length > 0 && !signal.aborted) yield { type: "reply", ...step, usage: usage() };
      }
    } finally {
      this.#pipeline.logitProcessor = undefined;
    }
    this.#remember(reason);
    const last = recorder.finish(reason === "stop");
    if (last.events.length > 0 && !signal.aborted) yield { type: "reply", ...last, usage: usage() };
    const { aborted } = signal;
    const ended = hasEnded() ? "stop" : reason === "stop" || reason === "length" ? reason : "abort";
    const whole = reason === "stop" && !hasEnded() && !aborted;
    yield {
      type: "finish",
      // Even if it ended at the same time: its last events were not delivered.
      reason: aborted ? "abort" : ended,
      usage: usage(),
      ...(whole ? { raw: this.#pipeline.getMessage() } : {}),
    };
  }

  /** Yields web-llm's chunks. Once `ended` returns true, web-llm is interrupted before the next step and drained. */
  async *#chunks(plan: PromptPlan, request: GenerateRequest, ended: () => boolean) {
    if (plan.reset) await this.#engine.resetChat();
    if (request.constraint) makeRoomFor(JSON.stringify(request.constraint), this.#pipeline);
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
        this.#passes++;
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
