import type { CachePages } from "../../../src/protocol/events.ts";
import type { ChatModelInfo, EngineStep, GenerateRequest } from "../../engine-api/chat-engine.ts";
import { EngineError } from "../../engine-api/engine-error.ts";
import type { LocalChatEngine } from "../chat/serve-chat-engine.ts";
import type { SequenceCache } from "./kv/sequence-cache.ts";
import type { LoadedModel } from "./load-model.ts";
import type { BatchSize } from "./schedule/batch-size.ts";
import { replyFailure } from "./schedule/failures.ts";
import { Reply } from "./schedule/reply.ts";
import { Scheduler } from "./schedule/scheduler.ts";
import type { StepRunner } from "./step/step-runner.ts";
import { withoutPrefix } from "./text/prompt-tokens.ts";

/**
 * Drives the loaded pipeline itself: many conversations stay in the KV cache, a prompt goes on from the one that it has
 * most in common with, and several replies run concurrently.
 */
export class BatchEngine implements LocalChatEngine {
  readonly info: ChatModelInfo;
  readonly #model: LoadedModel;
  readonly #cache: SequenceCache;
  readonly #scheduler: Scheduler;

  constructor(model: LoadedModel, steps: StepRunner, cache: SequenceCache, batchSize: BatchSize) {
    this.#model = model;
    this.#cache = cache;
    const { prefillChunkSize } = model.pipeline;
    this.#scheduler = new Scheduler(steps, cache, { batchSize, prefillChunkSize });
    this.info = { ...model.info, abortsBetweenChunks: true, parallel: batchSize.most, suspends: true };
    if (steps.scoredAtOnce > 0) this.info.scoresPrompts = true;
  }

  get pages(): CachePages {
    const { free, retained, active } = this.#cache.pages;
    return { total: free + retained + active, free, retained };
  }

  get retainedTokens(): number {
    return this.#cache.tokens.retained;
  }

  get passes(): number {
    return this.#scheduler.passes;
  }

  countTokens(prompt: string | readonly number[], scope?: string): number {
    const { prompts, prefix } = this.#model;
    return prompts.count(withoutPrefix(prompt, prefix), scope) + prefix.length;
  }

  decode(tokens: readonly number[]): string {
    return this.#model.pipeline.tokenizer.decode(Int32Array.from(tokens));
  }

  /** @throws {EngineError} */
  async *generate(request: GenerateRequest, signal: AbortSignal): AsyncGenerator<EngineStep, void> {
    const left = new AbortController();
    const ended = AbortSignal.any([signal, left.signal]);
    const reply = this.#reply(request, ended);
    this.#scheduler.add(reply);
    try {
      yield* reply.steps;
    } finally {
      left.abort();
      await reply.over;
    }
  }

  /** @throws {EngineError} with a code that does not end the engine */
  #reply(request: GenerateRequest, signal: AbortSignal): Reply {
    try {
      return new Reply(this.#model, request, this.#ids(request), signal);
    } catch (error) {
      throw replyFailure(error);
    }
  }

  /** @throws {EngineError} `context_length_exceeded`, `invalid_request` */
  #ids({ prompt, cacheScope }: GenerateRequest): number[] {
    const { prompts, prefix } = this.#model;
    const own = withoutPrefix(prompt, prefix);
    const ids = [...prefix, ...(typeof own === "string" ? prompts.encode(own, cacheScope) : own)];
    if (ids.length >= this.info.contextWindow)
      throw new EngineError("context_length_exceeded", `The prompt has ${ids.length} tokens.`);
    if (ids.length === 0) throw new EngineError("invalid_request", "The prompt has no tokens.");
    return ids;
  }
}
