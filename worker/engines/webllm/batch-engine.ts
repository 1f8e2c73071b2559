import { EngineError } from "../api/engine-error.ts";
import type { ChatModelFacts, EngineStep, EngineUsage, GenerateRequest } from "../api/types.ts";
import { ReplyRecorder } from "../chat/reply-recorder.ts";
import type { LocalChatEngine } from "../chat/serve-chat-engine.ts";
import { describeTokens } from "./describe-tokens.ts";
import type { SequenceCache } from "./kv/sequence-cache.ts";
import type { LoadedModel } from "./load-model.ts";
import { Slot } from "./slots/slot.ts";
import { chunkOf } from "./step/chunk.ts";
import type { StepRunner } from "./step/step-runner.ts";

/**
 * Drives the loaded pipeline itself: many conversations stay in the KV cache, and a prompt goes on from the one that
 * it has most in common with. Callers must run one request at a time.
 */
export class BatchEngine implements LocalChatEngine {
  readonly facts: ChatModelFacts;
  readonly #model: LoadedModel;
  readonly #steps: StepRunner;
  readonly #cache: SequenceCache;

  constructor(model: LoadedModel, steps: StepRunner, cache: SequenceCache) {
    this.#model = model;
    this.#steps = steps;
    this.#cache = cache;
    this.facts = { ...model.facts, abortsBetweenChunks: true };
  }

  get retainedTokens(): number {
    return this.#cache.tokens.retained;
  }

  countTokens(prompt: string | readonly number[]): number {
    return this.#model.prompts.count(prompt) + this.#model.prefix.length;
  }

  decode(tokens: readonly number[]): string {
    return this.#model.pipeline.tokenizer.decode(Int32Array.from(tokens));
  }

  /** @throws {EngineError} */
  async *generate(request: GenerateRequest, signal: AbortSignal): AsyncGenerator<EngineStep, void> {
    const prompt = this.#ids(request.prompt);
    const { id, matched } = this.#cache.admit(request.cacheScope, prompt);
    const slot = new Slot(this.#model.pipeline, request, prompt, { id, matched });
    let hasFailed = false;
    try {
      yield* this.#reply(slot, request, signal, { promptTokens: prompt.length, cachedTokens: matched });
    } catch (error) {
      hasFailed = true;
      if (error instanceof EngineError) throw error;
      throw new EngineError("engine_failed", `web-llm: ${(error as Error).message}`, { cause: error });
    } finally {
      // After a failed step the library's state is undefined, and the worker ends.
      if (!hasFailed) this.#cache.retain(id);
      await slot.release();
    }
  }

  async *#reply(
    slot: Slot,
    request: GenerateRequest,
    signal: AbortSignal,
    prompt: Pick<EngineUsage, "promptTokens" | "cachedTokens">,
  ): AsyncGenerator<EngineStep, void> {
    const { pipeline, tokenForm } = this.#model;
    const recorder = new ReplyRecorder(request.reader);
    const usage = (): EngineUsage => ({ ...recorder.usage(), ...prompt });
    const hasEnded = (): boolean => recorder.ended || slot.stopped;
    await this.#prefill(slot, signal);
    while (!signal.aborted && !hasEnded() && !slot.end) {
      await this.#step([slot]);
      const text = slot.text.take();
      // Part of a character waits for the next token, but not at the end.
      if (text === undefined && !slot.end && !slot.stopped) continue;
      const sampled = describeTokens(slot.takeLogprobs(), pipeline.tokenizer, tokenForm);
      // Omit the stop token's text, like that of a stop string.
      const isCut = slot.stopped && !request.reader.includeStop;
      const step = recorder.take(isCut ? "" : (text ?? ""), slot.completionTokens, isCut ? [] : sampled);
      if (step.events.length > 0 && !signal.aborted) yield { type: "reply", ...step, usage: usage() };
    }
    const last = recorder.finish();
    if (last.events.length > 0 && !signal.aborted) yield { type: "reply", ...last, usage: usage() };
    const whole = slot.end === "stop" && !hasEnded();
    yield {
      type: "finish",
      reason: hasEnded() ? "stop" : (slot.end ?? "abort"),
      usage: usage(),
      ...(whole ? { raw: slot.text.message } : {}),
    };
  }

  /** Feeds all chunks of the prompt but the last, whose logits are sampled from. */
  async #prefill(slot: Slot, signal: AbortSignal): Promise<void> {
    const { prefillChunkSize } = this.#model.pipeline;
    while (!signal.aborted) {
      const count = chunkOf(slot.waiting.length, prefillChunkSize);
      if (count === slot.waiting.length) return;
      const ids = slot.waiting.slice(0, count);
      await this.#steps.feed({ sequence: slot.sequence, ids });
      this.#cache.fed(slot.sequence, ids);
      slot.fed(count);
    }
  }

  /** Draws the next token of each slot. */
  async #step(slots: readonly Slot[]): Promise<void> {
    const running = slots.filter((slot) => this.#cache.reserve(slot.sequence, slot.waiting.length));
    for (const slot of slots) if (!running.includes(slot)) slot.end = "length";
    if (running.length === 0) return;
    const ids = await this.#steps.sample(running.map((slot) => slot.row()));
    for (const [at, slot] of running.entries()) {
      this.#cache.fed(slot.sequence, slot.waiting);
      slot.take(ids[at]!);
    }
  }

  /** @throws {EngineError} `context_length_exceeded`, `invalid_request` */
  #ids(prompt: string | readonly number[]): number[] {
    const { prompts, prefix } = this.#model;
    const ids = [...prefix, ...(typeof prompt === "string" ? prompts.encode(prompt) : prompt)];
    if (ids.length >= this.facts.contextWindow)
      throw new EngineError("context_length_exceeded", `The prompt has ${ids.length} tokens.`);
    if (ids.length === 0) throw new EngineError("invalid_request", "The prompt has no tokens.");
    return ids;
  }
}
