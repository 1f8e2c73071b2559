import type { ChatCompletionChunk, MLCEngine } from "@mlc-ai/web-llm";
import type { ChatModelInfo, EngineStep, GenerateRequest } from "../../../engine-api/chat-engine.ts";
import { EngineError } from "../../../engine-api/engine-error.ts";
import { UniformNumbers } from "../../chat/random-stream.ts";
import type { LocalChatEngine } from "../../chat/serve-chat-engine.ts";
import type { TokenForm } from "../../chat/token-bytes.ts";
import type { LoadedModel } from "../load-model.ts";
import { type PromptTokens, withoutPrefix } from "../text/prompt-tokens.ts";
import { makeRoomFor } from "../tvm/compiled-grammars.ts";
import type { Pipeline } from "../tvm/pipeline.ts";
import { KvCacheTracker, type PromptPlan } from "./kv-cache-tracker.ts";
import { SingleReply } from "./single-reply.ts";
import { webllmRequest } from "./webllm-request.ts";

/**
 * Drives web-llm's chat API, which keeps one conversation: for models that {@link BatchEngine} cannot run. Callers
 * must run one request at a time.
 */
export class SingleEngine implements LocalChatEngine {
  readonly #engine: MLCEngine;
  readonly #pipeline: Pipeline;
  readonly #kvCache = new KvCacheTracker();
  readonly #prefix: readonly number[];
  readonly #prompts: PromptTokens;
  readonly #tokenForm: TokenForm;
  readonly info: ChatModelInfo;
  #passes = 0;

  constructor({ engine, pipeline, prefix, prompts, tokenForm, info }: LoadedModel) {
    this.#engine = engine;
    this.#pipeline = pipeline;
    this.#prefix = prefix;
    this.#prompts = prompts;
    this.#tokenForm = tokenForm;
    this.info = info;
  }

  countTokens(prompt: string | readonly number[], scope?: string): number {
    return this.#prompts.count(withoutPrefix(prompt, this.#prefix), scope) + this.#prefix.length;
  }

  get retainedTokens(): number {
    return this.#kvCache.length;
  }

  decode(tokens: readonly number[]): string {
    return this.#pipeline.tokenizer.decode(Int32Array.from(tokens));
  }

  get passes(): number {
    return this.#passes;
  }

  /** @throws {EngineError} or web-llm's own error */
  async *generate(request: GenerateRequest, signal: AbortSignal): AsyncGenerator<EngineStep, void> {
    const pipeline = this.#pipeline;
    const plan = this.#plan(request);
    const reply = new SingleReply(request, {
      pipeline,
      plan,
      prefix: this.#prefix,
      tokenForm: this.#tokenForm,
      interrupt: () => this.#engine.interruptGenerate(),
    });
    pipeline.logitProcessor = reply.processor;
    const numbers = new UniformNumbers(request.randomState);
    pipeline.tvm.rng = { randomFloat: () => numbers.next() };
    try {
      for await (const chunk of this.#chunks(plan, request, () => signal.aborted || reply.isEndedHere)) {
        const step = reply.take(chunk);
        if (step && !signal.aborted) yield step;
      }
    } finally {
      pipeline.logitProcessor = undefined;
    }
    if (reply.isEndedByModel) this.#remember();
    const rest = reply.flush();
    if (rest && !signal.aborted) yield rest;
    yield reply.finish(signal.aborted);
  }

  /** @throws {EngineError} `context_length_exceeded` */
  #plan({ prompt, cacheScope }: GenerateRequest): PromptPlan {
    const text = this.#prompts.asText(withoutPrefix(prompt, this.#prefix));
    const encode = (part: string) => this.#prompts.encode(part, cacheScope);
    const plan = this.#kvCache.plan(cacheScope, text, encode, this.#prefix.length);
    if (plan.promptTokens >= this.info.contextWindow)
      throw new EngineError("context_length_exceeded", `The prompt has ${plan.promptTokens} tokens.`);
    return plan;
  }

  /** Yields web-llm's chunks. Once `ended` returns true, web-llm is interrupted before the next step and drained. */
  async *#chunks(plan: PromptPlan, request: GenerateRequest, ended: () => boolean) {
    if (plan.reset) await this.#engine.resetChat();
    const asked = webllmRequest(plan, request);
    if (asked.response_format) makeRoomFor(asked.response_format, this.#pipeline);
    const iterable: AsyncIterable<ChatCompletionChunk> = await this.#engine.chat.completions.create(asked);
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
  #remember(): void {
    const { outputIds, tokenizer } = this.#pipeline;
    const reply = this.#pipeline.getMessage();
    // A stop string of the template truncates the text but not the cache.
    const uncut = tokenizer.decode(Int32Array.from(outputIds)) === reply;
    if (uncut) this.#kvCache.keep(reply, outputIds);
  }
}
